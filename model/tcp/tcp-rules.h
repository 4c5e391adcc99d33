// SPDX-License-Identifier: GPL-2.0-only

#ifndef TCP_RULES_H
#define TCP_RULES_H

namespace ns3::lfn
{

/**
 * @ingroup lfn-tcp
 * @brief The rules of the RFCs that ns-3's TCP does not follow, one by one; TCP-D1 to TCP-D35 of
 * the deviations say what ns-3 does instead.
 *
 * TcpRules{} follows the RFCs, TcpRules{false} follows ns-3.
 */
struct TcpRules
{
    bool isRfc{true}; //!< what the others are unless set

    // What an acknowledgement says
    bool checkSacks{isRfc};     //!< blocks lie in what was sent (RFC 2018, 3; D10)
    bool trustSacks{isRfc};     //!< with SACK marks are no guesses (RFC 2018, 3; D10)
    bool noticeReneging{isRfc}; //!< a SACKed head is discarded data (RFC 2018, 8; D10)
    bool sackRetransmissions{
        isRfc};                   //!< SACKs say which retransmissions are lost (RFC 6675, 4; D27)
    bool forgetDuplicates{isRfc}; //!< duplicate ACKs end with a recovery (RFC 6582, 3.2.3; D1)
    bool requireBeyondRecover{isRfc}; //!< an ACK of recover is too old (RFC 6582, 3.2.2; D13)
    bool countDuplicates{isRfc};      //!< the peer's data are no duplicate ACKs (RFC 5681, 2; D35)
    bool countSegments{isRfc};        //!< less than a segment opens no window (RFC 5681, 3.1; D11)

    // Reductions of the window
    bool halveFlightSize{isRfc}; //!< FlightSize is halved, not pipe (RFC 5681, 3.1; D2)
    bool holdSsThresh{isRfc};    //!< the timer expires again: ssthresh stays (RFC 5681, 3.1; D3)
    bool reduceOncePerWindow{isRfc}; //!< for loss and mark together (RFC 3168, 6.1.2; D30)
    bool resendMore{isRfc};          //!< more than a segment per partial ACK (RFC 3782, 5)
    bool restartAfterIdle{isRfc};    //!< with the initial window (RFC 5681, 4.1; D33)

    // ECN
    bool echoAnySequence{isRfc};  //!< an ECN-Echo counts behind 2 GiB as well (RFC 3168, 6.1; D29)
    bool markAnyTos{isRfc};       //!< data are ECT with any DSCP (RFC 3168, 5; D38)
    bool echoBothWays{isRfc};     //!< data carry ECN-Echo as well (RFC 3168, 6.1.3; D29)
    bool reportReductions{isRfc}; //!< CWR follows any reduction (RFC 3168, 6.1.2; D29)

    // Timers
    bool keepBackOff{isRfc};         //!< until a sample of the RTT (RFC 6298, 5; D31)
    bool limitRto{isRfc};            //!< to 60 s; a SYN's is not kept (RFC 6298, 2.5 and 5.7)
    bool timeRetransmissions{isRfc}; //!< those with time stamps give samples (RFC 7323, 4.1; D31)
    bool giveUpByTime{isRfc};        //!< R2 is a time (RFC 9293, 3.8.3; D32)
    bool repeatFin{isRfc}; //!< the timer of retransmissions does it (RFC 9293, 3.8.1; D18)

    // What is sent
    bool nagleNewData{isRfc};  //!< not retransmissions (RFC 1122, 4.2.3.4; D4)
    bool overrideSilly{isRfc}; //!< a small window after a while (RFC 1122, 4.2.3.4; D5)
    bool keepSndNxt{isRfc};    //!< a retransmission does not move it (RFC 9293, 3.4)
    bool ackWithData{isRfc};   //!< Last.ACK.sent counts ACKs of data (RFC 7323, 4.3; D14)
    bool probeHead{isRfc};     //!< the first unacknowledged byte (RFC 9293, 3.8.6.1; D8)

    // What arrives
    bool checkSegments{isRfc}; //!< before ns-3 sees them (RFC 9293, 3.10.7; RFC 5961; D6 to D22)
    bool wrapTimes{isRfc};     //!< time stamps begin at 0 again (RFC 7323, 5.4; D23)
    bool updateWindow{isRfc};  //!< when the application reads (RFC 9293, 3.8.6.2.2; D24)
    bool discardUnread{isRfc}; //!< data that nobody reads (RFC 9293, 3.6; D21)
};

} // namespace ns3::lfn

#endif // TCP_RULES_H

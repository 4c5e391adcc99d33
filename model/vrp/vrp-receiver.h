// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_RECEIVER_H
#define VRP_RECEIVER_H

#include "vrp-block-table.h"
#include "vrp-header.h"
#include "vrp-incoming-frame.h"
#include "vrp-received-frame.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/lfn-transfer-application.h"
#include "ns3/socket.h"

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The receiving end of VRP (the report's vrp_incoming_t; sections 2.4 and 3.2.2).
 *
 * It has no state of its own but its blocks, one a frame: always ready, for any number of senders
 * up to MaxIncomingFrames frames of each at once. Every packet that comes for a frame, also one
 * that is refused, is answered by one control packet with NACKs, SINGLE_ACKs and the cumulative
 * ACK.
 */
class VrpReceiver : public TransferApplication
{
  public:
    /** @brief Takes a frame; called once a frame, gaps filled with nulls. */
    using ReceiveCallback = Callback<void, const VrpReceivedFrame&>;

    /** @brief Signature of the trace source FrameReceived. */
    typedef void (*FrameTracedCallback)(const VrpReceivedFrame& frame);

    /** @return the object TypeId */
    static TypeId GetTypeId();

    VrpReceiver();

    /**
     * @brief Set who takes the frames.
     * @param receive the taker; the frame's data are valid during the call only
     */
    void SetReceive(ReceiveCallback receive);

    /**
     * @brief Get what a sender's frames came to.
     * @param peer the sender's socket address
     * @return its totals; all zero for an unknown sender
     */
    VrpPeerTotals GetPeerTotals(const Address& peer) const;

    /**
     * @brief Get the number of blocks in use.
     * @return frames being received, or delivered and not closed
     */
    std::size_t GetBlocks() const;

    /** @brief Get the memory of the blocks. @return states, data and fixed parts, B */
    uint64_t GetBlockBytes() const;

    /** @brief Get the largest memory that the blocks have had. @return B */
    uint64_t GetPeakBlockBytes() const;

  private:
    using Peer = VrpBlockTable::Peer; //!< a sender
    using Tags = std::vector<VrpTag>; //!< tags of a control packet

    void StartApplication() override;
    void CancelEvents() override;
    bool IsEndless() const override;

    /** @brief Read what has come. */
    void OnDatagrams(Ptr<Socket> socket);

    /**
     * @brief Handle a packet that the host has read.
     * @param packet the packet
     * @param from its sender
     */
    void OnPacket(Ptr<Packet> packet, const Address& from);

    /**
     * @brief Handle a control packet.
     * @param frame frame number of its header
     * @param packet what follows the header
     * @param from its sender
     */
    void OnControl(uint16_t frame, Ptr<Packet> packet, const Address& from);

    /**
     * @brief Handle the tags of a control packet that create no frame.
     * @param tags the tags
     * @param peer their sender; null when it is not known
     * @param answer gets what to answer
     * @return true when a frame of the sender is closed
     */
    bool AnswerTags(std::span<const VrpTag> tags, Peer* peer, Tags& answer);

    /**
     * @brief Create a frame, or answer for one that exists or has been.
     * @param header what the sender requests
     * @param from the sender
     * @return FRAME_OK or FRAME_REFUSED
     */
    VrpTagCode Create(const VrpFrameHeader& header, const Address& from);

    /**
     * @brief Answer a frame header that was not refused.
     * @param peer the sender
     * @param header what it requests
     * @param data what rode with it, may be empty
     * @param answer tags to put in front; may be changed
     */
    void AnswerHeader(Peer& peer, const VrpFrameHeader& header, Ptr<Packet> data, Tags& answer);

    /**
     * @brief Handle a data packet.
     * @param peer the sender
     * @param number the frame
     * @param index number of the packet in its frame
     * @param packet its data
     * @param tags gets the answer, may hold something already
     */
    void OnData(Peer& peer, uint16_t number, uint32_t index, Ptr<Packet> packet, Tags& tags);

    /**
     * @brief Store the data of a packet and check them when asked to.
     * @param frame the frame
     * @param index number of the packet
     * @param packet its data
     * @return false when they are not what the sender put into them
     */
    bool Store(VrpIncomingFrame& frame, uint32_t index, Ptr<const Packet> packet) const;

    /**
     * @brief Deliver a complete frame.
     * @param peer the sender
     * @param number the frame
     */
    void Deliver(Peer& peer, uint16_t number);

    /** @brief Wait for the next block whose life may time out, unless that is done already. */
    void SetLifeTimer();

    /** @brief Free the blocks whose life has timed out. */
    void OnLifeTimer();

    /**
     * @brief Answer with what a window requests.
     * @param answer NACKs and SINGLE_ACKs
     * @param ack the cumulative ACK, if there is one
     * @param front tags put in front
     * @param frame frame number of the header
     * @param peer the sender
     */
    void Reply(const VrpReceiveWindow::Answer& answer,
               std::optional<uint32_t> ack,
               const Tags& front,
               uint16_t frame,
               Peer& peer);

    /**
     * @brief Send a control packet.
     * @param tags its tags
     * @param frame frame number of the header
     * @param to the sender
     */
    void Send(std::span<const VrpTag> tags, uint16_t frame, const Address& to);

    /** @brief Get what a packet takes of the host. @return time to read it, and to move it */
    HostWork GetWork(Ptr<const Packet> packet);

    VrpBlockTable::Settings m_settings; //!< of the frames
    Address m_local;                    //!< attribute Local
    uint16_t m_port{0};                 //!< attribute Port
    bool m_answerRepeatedHeader{true};  //!< attribute AnswerRepeatedHeader
    uint32_t m_maxControlSize{0};       //!< attribute MaxControlSize, B
    bool m_freeEarly{false};            //!< attribute FreeEarly
    bool m_checkContent{false};         //!< attribute CheckContent
    ReceiveCallback m_receive;          //!< takes the frames
    std::vector<Ptr<Socket>> m_sockets; //!< one per version of IP
    VrpBlockTable m_table;              //!< the frames
    EventId m_lifeTimer;                //!< of the block that is longest without news
    VrpReceiveWindow::Answer m_answer;  //!< kept to save allocations
    TracedCallback<const VrpReceivedFrame&> m_frameTrace; //!< a frame is delivered
};

} // namespace ns3::lfn

#endif // VRP_RECEIVER_H

// SPDX-License-Identifier: GPL-2.0-only
#ifndef UDT_CONNECTION_H
#define UDT_CONNECTION_H

#include "udt-header.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>

/**
 * @file
 * @ingroup lfn-udt
 * Connection set-up of UDT: two RTTs, with a cookie (UDT-9 to UDT-12).
 */

namespace ns3::lfn
{

/** @brief Bytes of the headers of IPv4 and UDP; 48 with IPv6. */
constexpr uint32_t UDT_IPV4_HEADERS = 28;

/**
 * @ingroup lfn-udt
 * @brief The client's side: requests, repeats them, takes the answer.
 *
 * Independent of sockets and simulator.
 */
class UdtConnector
{
  public:
    /** @brief Where the client stands. */
    enum class State : uint8_t
    {
        REQUESTED, //!< awaits the cookie
        CONFIRMED, //!< has sent the cookie, awaits the answer
        CONNECTED, //!< the answer is there
        REFUSED,   //!< the server takes no connection
        FAILED     //!< no answer in time
    };

    /** @brief What can be set. */
    struct Settings
    {
        Time repeat{MilliSeconds(250)};       //!< time between two requests
        Time timeout{Seconds(3)};             //!< a client gives up after this
        uint32_t ipHeaders{UDT_IPV4_HEADERS}; //!< of IP and UDP, in each MSS, B
    };

    /**
     * @brief A client that is about to send its first request.
     * @param own what it asks for: initial sequence number, MSS, window and socket ID
     * @param now the time
     * @param settings what was set
     */
    UdtConnector(const UdtHandshake& own, Time now, const Settings& settings);

    /** @brief The same with the default settings. */
    UdtConnector(const UdtHandshake& own, Time now);

    /** @brief Get when the next request leaves. @return the time; nothing at the end */
    std::optional<Time> GetNextRequest() const;

    /**
     * @brief Take the request that is due.
     * @param now the time
     * @return the request; nothing when the time is over, and the state is FAILED
     */
    std::optional<UdtHandshake> Request(Time now);

    /**
     * @brief Take a packet of the server.
     * @param now the time
     * @param packet the packet
     * @return whether it was waited for
     */
    bool OnHandshake(Time now, const UdtHandshake& packet);

    /** @brief Get where the client stands. @return the state */
    State GetState() const;

    /** @brief Get the server's answer. @return it; what was asked for before that */
    const UdtHandshake& GetAnswer() const;

  private:
    Settings m_settings;             //!< what was set
    UdtHandshake m_request;          //!< what leaves next
    UdtHandshake m_answer;           //!< the server's
    State m_state{State::REQUESTED}; //!< where the client stands
    Time m_start;                    //!< of the set-up
    std::optional<Time> m_next;      //!< next request
};

/**
 * @ingroup lfn-udt
 * @brief The server's side. Keeps nothing before a cookie is back, and answers with no more bytes
 *        than a request has.
 *
 * Independent of sockets and simulator.
 */
class UdtListener
{
  public:
    /** @brief What a request leads to. */
    struct Outcome
    {
        std::optional<UdtHandshake> reply; //!< what to send; nothing for a wrong request
        bool isAccepted{false};            //!< the reply is an answer: the client is connected
    };

    /**
     * @brief A server.
     * @param own what it offers: socket type, MSS, window and socket ID
     * @param key secret of the cookies
     */
    UdtListener(const UdtHandshake& own, uint32_t key);

    /**
     * @brief Take a request. A repeated one gets the same reply.
     * @param now the time
     * @param peer hash of the client's address and port
     * @param request the packet
     * @param ipHeaders of IP and UDP towards the client, B
     * @return what to do
     */
    Outcome OnHandshake(Time now,
                        uint32_t peer,
                        const UdtHandshake& request,
                        uint32_t ipHeaders = UDT_IPV4_HEADERS) const;

  private:
    /**
     * @brief Make a cookie.
     * @param peer hash of the client's address and port
     * @param minute of the clock
     * @return the cookie, never 0
     */
    uint32_t MakeCookie(uint32_t peer, int64_t minute) const;

    UdtHandshake m_own; //!< what it offers
    uint32_t m_key;     //!< secret of the cookies
};

} // namespace ns3::lfn

#endif // UDT_CONNECTION_H

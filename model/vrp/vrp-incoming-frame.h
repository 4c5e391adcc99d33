// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_INCOMING_FRAME_H
#define VRP_INCOMING_FRAME_H

#include "vrp-frame-header.h"
#include "vrp-receive-window.h"
#include "vrp-tolerance.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief The receiver's half of a frame: incoming frame information block (sections 2.4.3, 3.2.2).
 */
class VrpIncomingFrame
{
  public:
    /** @brief Which algorithm judges losses. */
    enum class Algorithm
    {
        ANTICIPATING, //!< VrpAnticipatingWindow
        BASIC,        //!< VrpBasicWindow
    };

    /** @brief The receiver's own settings, which hold for all its frames. */
    struct Rules
    {
        Algorithm algorithm{Algorithm::ANTICIPATING};     //!< who judges losses
        VrpReceiveWindow::Limits limits;                  //!< all but packets and tolerance
        VrpLossRounding rounding{VrpLossRounding::FLOOR}; //!< how a rate becomes packets (C3)
        bool shortFrameScaling{false};                    //!< the rate holds for short frames (C4)
        double defaultLossRate{0};                        //!< when the header gives none, 0 to 1
        int64_t defaultBurst{-1}; //!< when the header gives none, B; negative: no limit
        bool keepData{false};     //!< keep the bytes
    };

    /** @brief What has happened so far. */
    struct Counters
    {
        uint64_t nacks{0};      //!< packets demanded
        uint64_t duplicates{0}; //!< data packets that arrived redundantly
    };

    /**
     * @brief A frame.
     * @param header what the sender announced
     * @param rules the receiver's own settings
     * @param now the time
     */
    VrpIncomingFrame(const VrpFrameHeader& header, const Rules& rules, Time now);

    /**
     * @brief Take the arrival of a data packet into account.
     * @param packet its number, below the frame's number of packets
     * @param answer gets what to answer
     * @return what to do with its data
     */
    VrpReceiveWindow::Outcome OnPacket(uint32_t packet, VrpReceiveWindow::Answer& answer);

    /**
     * @brief Get room for the data of a packet, which are null until written.
     * @param packet its number
     * @return where to write; empty when data are not kept
     */
    std::span<uint8_t> GetRoom(uint32_t packet);

    /**
     * @brief End the receiving of a complete frame: data get their full size.
     * @return the gaps, ascending, touching ones merged
     */
    std::vector<VrpByteInterval> Finish();

    /** @brief Check whether data are still awaited. @return true until Finish() */
    bool IsReceiving() const;

    /** @brief Get what the sender announced. @return the frame header */
    const VrpFrameHeader& GetHeader() const;

    /** @brief Get the loss accounting. @return the window */
    const VrpReceiveWindow& GetWindow() const;

    /** @return the bytes, empty when data are not kept */
    const std::vector<uint8_t>& GetData() const;

    /** @brief Get the accepted losses a history window. @return packets */
    uint32_t GetMaxLosses() const;

    /** @brief Get what has happened. @return the counters */
    const Counters& GetCounters() const;

    /** @brief Get when the frame was created. @return the time */
    Time GetStart() const;

    /** @brief Get the size of what is kept. @return bytes */
    uint64_t GetMemory() const;

  private:
    VrpFrameHeader m_header;                    //!< what the sender announced
    std::unique_ptr<VrpReceiveWindow> m_window; //!< the loss accounting
    std::vector<uint8_t> m_data;                //!< up to the end of the highest packet stored
    bool m_keepData{false};                     //!< keep the bytes
    bool m_receiving{true};                     //!< data are awaited
    uint32_t m_maxLosses{0};                    //!< accepted losses a history window
    Counters m_counters;                        //!< what has happened
    Time m_start;                               //!< when it was created
};

} // namespace ns3::lfn

#endif // VRP_INCOMING_FRAME_H

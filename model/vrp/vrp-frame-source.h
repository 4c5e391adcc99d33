// SPDX-License-Identifier: GPL-2.0-only
#ifndef VRP_FRAME_SOURCE_H
#define VRP_FRAME_SOURCE_H

#include "vrp-sender.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-vrp
 * @brief An application on top of a VrpSender: bulk data cut into frames, and small probe frames.
 *
 * The report's benchmark (section 4.2.2) sends several megabytes in frames of 100 kB, one after the
 * other; more than one at a time stands for its multi-threaded applications (section 2.4.1). With
 * an interval the frames come periodically, with losses or not. Probes measure what a small
 * frame takes in addition to the bulk.
 */
class VrpFrameSource : public Application
{
  public:
    /** @brief How long frames took at the sender. */
    struct Durations
    {
        uint64_t frames{0}; //!< frames delivered
        Time sum;           //!< of their durations
        Time longest;       //!< the longest duration

        /** @brief Get the mean duration. @return mean; 0 without frames */
        Time GetMean() const;
    };

    /** @return the object TypeId */
    static TypeId GetTypeId();

    VrpFrameSource();

    /**
     * @brief Get how long the bulk's frames took.
     * @return durations from SendFrame() to the last ACK
     */
    const Durations& GetFrames() const;

    /** @brief Get how long the probes took. @return durations from SendFrame() to the last ACK */
    const Durations& GetProbes() const;

    /**
     * @brief Get the mean of the loss rates that frames were sent with.
     * @return 0 to 1; 0 before the first frame
     */
    double GetMeanLossRate() const;

    /**
     * @brief Get the mean of the round-trip times estimated when frames ended, Karn's doubling left
     * out.
     * @return the mean; 0 before the first frame
     */
    Time GetMeanRtt() const;

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** @brief Send the next frame of the bulk. */
    void SendNext();

    /** @brief Send a probe, and the next one an interval later. */
    void SendProbe();

    /**
     * @brief Make a frame.
     * @param bytes its size, B
     * @return the frame
     */
    VrpFrame MakeFrame(uint32_t bytes) const;

    /**
     * @brief A frame of the bulk has ended.
     * @param report how
     */
    void OnFrame(const VrpFrameReport& report);

    /**
     * @brief A probe has ended.
     * @param report how
     */
    void OnProbe(const VrpFrameReport& report);

    Ptr<VrpSender> m_sender;        //!< attribute Sender
    uint64_t m_bytes{0};            //!< attribute Bytes, B
    uint32_t m_frameSize{0};        //!< attribute FrameSize, B
    uint32_t m_concurrentFrames{0}; //!< attribute ConcurrentFrames
    Time m_frameInterval;           //!< attribute FrameInterval
    uint32_t m_criticalBytes{0};    //!< attribute CriticalBytes, B
    uint32_t m_probeSize{0};        //!< attribute ProbeSize, B
    Time m_probeInterval;           //!< attribute ProbeInterval
    bool m_checkContent{false};     //!< attribute CheckContent

    uint64_t m_offered{0};  //!< bytes of the bulk handed over, B
    uint64_t m_underWay{0}; //!< frames of the bulk that have not ended
    EventId m_nextFrame;    //!< the next periodic frame
    EventId m_nextProbe;    //!< the next probe
    Durations m_frames;     //!< of the bulk
    Durations m_probes;     //!< of the probes
    uint64_t m_ended{0};    //!< frames of the bulk ended, well or not
    double m_lossRates{0};  //!< sum of their loss rates
    Time m_rtts;            //!< sum of the round-trip times at their ends
};

} // namespace ns3::lfn

#endif // VRP_FRAME_SOURCE_H

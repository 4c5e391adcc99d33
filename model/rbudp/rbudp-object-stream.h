// SPDX-License-Identifier: GPL-2.0-only
#ifndef RBUDP_OBJECT_STREAM_H
#define RBUDP_OBJECT_STREAM_H

#include "rbudp-sender.h"

#include "ns3/application.h"
#include "ns3/event-id.h"
#include "ns3/traced-callback.h"

#include <cstdint>

namespace ns3::lfn
{

/**
 * @ingroup lfn-rbudp
 * @brief Streams objects of equal size over RBUDP by gathering them into blocks (section 4.3).
 *
 * Objects become available at a constant rate B_obj, the first one 1 / B_obj after the start. As
 * many as may gather within the delay D make a block (equation 9), which is one RBUDP payload; a
 * block waits while the one before it is under way. When the application is stopped, what has
 * gathered goes as a last, smaller block and the connection is closed behind it.
 */
class RbudpObjectStream : public Application
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    RbudpObjectStream();

    /**
     * @brief Equation (9): N_obj = B_obj * D, in whole objects.
     * @param objectRate B_obj, objects/s, above 0
     * @param maxDelay D
     * @return objects a block, at least 1
     */
    static uint64_t GetObjectsPerBlock(double objectRate, Time maxDelay);

    /** @brief Count the objects that have become available. @return objects */
    uint64_t GetObjectsOffered() const;

    /** @brief Count the objects whose block has arrived in full. @return objects */
    uint64_t GetObjectsDelivered() const;

    /**
     * @brief The longest time from an object's availability to its block's arrival.
     * @return the time; 0 before the first block
     */
    Time GetMaxLatency() const;

    /**
     * @brief Note that a block has arrived; connect it to RbudpReceiver's PayloadReceived.
     * @param index number of the payload, from 0
     * @param bytes its size, B
     */
    void NotifyReceived(uint64_t index, uint64_t bytes);

    /**
     * @brief Signature of the trace source BlockDelivered.
     * @param index number of the block, from 0
     * @param objects how many it carries
     * @param latency of its first object, the longest of the block
     */
    typedef void (*BlockTracedCallback)(uint64_t index, uint64_t objects, Time latency);

  protected:
    void DoDispose() override;

  private:
    void StartApplication() override;
    void StopApplication() override;

    /** @brief A block has gathered: hand it over, and wait for the next. */
    void OfferBlock();

    /**
     * @brief When an object becomes available.
     * @param object its number, from 0
     * @return absolute time
     */
    Time GetAvailable(uint64_t object) const;

    uint32_t m_objectSize{0};      //!< S_obj, B
    double m_objectRate{0};        //!< B_obj, objects/s
    Time m_maxDelay;               //!< D
    Ptr<RbudpSender> m_sender;     //!< carries the blocks
    Time m_begin;                  //!< when the application started
    uint64_t m_objectsPerBlock{1}; //!< N_obj
    uint64_t m_offered{0};         //!< objects handed over
    uint64_t m_delivered{0};       //!< objects that arrived
    Time m_maxLatency;             //!< longest latency so far
    EventId m_event;               //!< the next block has gathered

    TracedCallback<uint64_t, uint64_t, Time> m_blockTrace; //!< a block has arrived
};

} // namespace ns3::lfn

#endif // RBUDP_OBJECT_STREAM_H

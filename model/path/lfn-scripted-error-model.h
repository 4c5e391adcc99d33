// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_SCRIPTED_ERROR_MODEL_H
#define LFN_SCRIPTED_ERROR_MODEL_H

#include "lfn-ip-packet-filter.h"
#include "lfn-packet-script.h"

#include "ns3/callback.h"
#include "ns3/error-model.h"

#include <cstdint>
#include <string>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Loses exactly those packets that a script names.
 *
 * Packets that match the filter are counted from 1, and those whose number is in the script are
 * lost. Packets that do not match are neither counted nor lost. Without a filter every packet
 * matches. While the model is switched off (IsEnabled) it counts and loses nothing.
 */
class ScriptedErrorModel : public ErrorModel
{
  public:
    /** @brief Indicates whether a packet is to be counted. */
    using Filter = Callback<bool, Ptr<const Packet>>;

    /** @return the object TypeId */
    static TypeId GetTypeId();

    ScriptedErrorModel() = default;

    /**
     * @brief Sets which packets are counted.
     * @param filter what they look like
     */
    void SetFilter(const IpPacketFilter& filter);

    /**
     * @brief Sets which packets are counted.
     * @param filter asked once for every packet; a null callback means every packet
     */
    void SetFilter(Filter filter);

    /**
     * @brief Adds one packet to the script.
     * @param k number of the packet among the matching ones, from 1
     */
    void Drop(uint64_t k);

    /** @brief From now on, loses every matching packet. */
    void DropAll();

    /**
     * @brief Replaces the script.
     * @param script numbers separated by commas ("3,7,11"), "all", or nothing
     * @return false, with the script unchanged, when the text is invalid
     */
    bool SetScript(std::string script);

    /**
     * @brief Gives the script as text.
     * @return numbers in rising order, separated by commas, or "all"
     */
    std::string GetScript() const;

    /**
     * @brief Counts the packets that the filter meant.
     * @return their number since the start or the last Reset()
     */
    uint64_t GetMatched() const;

    /**
     * @brief Counts the packets that were lost.
     * @return their number since the start or the last Reset()
     */
    uint64_t GetDropped() const;

  protected:
    void DoDispose() override;

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    Filter m_filter;       //!< which packets are counted; null for every packet
    PacketScript m_script; //!< the packets to lose
    uint64_t m_matched{0}; //!< matching packets so far
    uint64_t m_dropped{0}; //!< packets lost so far
};

} // namespace ns3::lfn

#endif /* LFN_SCRIPTED_ERROR_MODEL_H */

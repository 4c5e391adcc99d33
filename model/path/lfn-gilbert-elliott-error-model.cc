// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-gilbert-elliott-error-model.h"

#include "ns3/double.h"
#include "ns3/log.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("GilbertElliottErrorModel");
NS_OBJECT_ENSURE_REGISTERED(GilbertElliottErrorModel);

TypeId
GilbertElliottErrorModel::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::lfn::GilbertElliottErrorModel")
            .SetParent<ErrorModel>()
            .SetGroupName("Lfn")
            .AddConstructor<GilbertElliottErrorModel>()
            .AddAttribute("GoodToBad",
                          "Probability that the good state turns bad after a packet (p).",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&GilbertElliottErrorModel::m_goodToBad),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("BadToGood",
                          "Probability that the bad state turns good after a packet (r).",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&GilbertElliottErrorModel::m_badToGood),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("LossInGood",
                          "Probability that a packet is lost in the good state.",
                          DoubleValue(0.0),
                          MakeDoubleAccessor(&GilbertElliottErrorModel::m_lossInGood),
                          MakeDoubleChecker<double>(0.0, 1.0))
            .AddAttribute("LossInBad",
                          "Probability that a packet is lost in the bad state.",
                          DoubleValue(1.0),
                          MakeDoubleAccessor(&GilbertElliottErrorModel::m_lossInBad),
                          MakeDoubleChecker<double>(0.0, 1.0));
    return tid;
}

GilbertElliottErrorModel::GilbertElliottErrorModel()
    : m_uniform(CreateObject<UniformRandomVariable>())
{
}

int64_t
GilbertElliottErrorModel::AssignStreams(int64_t stream)
{
    NS_LOG_FUNCTION(this << stream);
    m_uniform->SetStream(stream);
    return 1;
}

bool
GilbertElliottErrorModel::SetMean(double loss, double burst)
{
    NS_LOG_FUNCTION(this << loss << burst);
    const double span = m_lossInBad - m_lossInGood;
    const double share = span > 0.0 ? (loss - m_lossInGood) / span : -1.0;
    if (burst < 1.0 || share < 0.0 || share >= 1.0 || share > (1.0 - share) * burst)
    {
        return false;
    }
    m_badToGood = 1.0 / burst;
    m_goodToBad = m_badToGood * share / (1.0 - share);
    NS_LOG_DEBUG("GoodToBad " << m_goodToBad << ", BadToGood " << m_badToGood);
    return true;
}

double
GilbertElliottErrorModel::GetBadShare() const
{
    const double moves = m_goodToBad + m_badToGood;
    return moves > 0.0 ? m_goodToBad / moves : 0.0;
}

double
GilbertElliottErrorModel::GetMeanLoss() const
{
    const double bad = GetBadShare();
    return bad * m_lossInBad + (1.0 - bad) * m_lossInGood;
}

uint64_t
GilbertElliottErrorModel::GetDropped() const
{
    return m_dropped;
}

bool
GilbertElliottErrorModel::Draw(double probability)
{
    if (probability <= 0.0)
    {
        return false;
    }
    return probability >= 1.0 || m_uniform->GetValue() < probability;
}

bool
GilbertElliottErrorModel::DoCorrupt(Ptr<Packet> /* packet */)
{
    if (!IsEnabled())
    {
        return false;
    }
    if (!m_drawn)
    {
        m_drawn = true;
        m_bad = Draw(GetBadShare());
    }
    const bool isLost = Draw(m_bad ? m_lossInBad : m_lossInGood);
    NS_LOG_DEBUG("state " << (m_bad ? "bad" : "good") << ", loss "
                          << (m_bad ? m_lossInBad : m_lossInGood) << ": lost " << isLost);
    m_bad = m_bad ? !Draw(m_badToGood) : Draw(m_goodToBad);
    m_dropped += isLost ? 1 : 0;
    return isLost;
}

void
GilbertElliottErrorModel::DoReset()
{
    NS_LOG_FUNCTION(this);
    m_drawn = false;
    m_dropped = 0;
}

} // namespace ns3::lfn

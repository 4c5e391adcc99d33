// SPDX-License-Identifier: GPL-2.0-only

#ifndef WEB_BACKGROUND_H
#define WEB_BACKGROUND_H

#include "lfn-load-background.h"

#include <memory>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "web": short TCP flows that begin as a Poisson process, with sizes of a Pareto or
 * log-normal distribution; see WebSource.
 */
class WebBackground : public LoadBackground
{
  public:
    /** @brief Distributions of the sizes. */
    enum Sizes
    {
        PARETO,    //!< cut off at LargestSize
        LOGNORMAL, //!< with Sigma
    };

    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::string Describe() const override;
    std::optional<std::string> Check() const override;
    std::vector<BackgroundRow> GetRows() const override;

  private:
    void InstallPairs(const std::string& direction,
                      const std::vector<BackgroundPair>& pairs,
                      double rate,
                      Time start) override;

    /** @brief Make the distribution of the sizes, as ns-3 writes it. */
    std::string MakeSizes() const;

    Sizes m_sizes{PARETO};                              //!< attribute Sizes
    double m_meanSize{0};                               //!< attribute MeanSize
    double m_shape{0};                                  //!< attribute Shape
    double m_largestSize{0};                            //!< attribute LargestSize
    double m_sigma{0};                                  //!< attribute Sigma
    std::string m_congestion;                           //!< attribute Congestion
    std::vector<std::unique_ptr<SizeClassRows>> m_rows; //!< one per direction
};

} // namespace ns3::lfn

#endif // WEB_BACKGROUND_H

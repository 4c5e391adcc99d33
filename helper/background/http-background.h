// SPDX-License-Identifier: GPL-2.0-only

#ifndef HTTP_BACKGROUND_H
#define HTTP_BACKGROUND_H

#include "lfn-background.h"

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief "http": clients that load pages of the Web, by ns3::ThreeGppHttpClient and
 * ns3::ThreeGppHttpServer; a client reads a page before it requests the next one.
 *
 * The load follows from the number of clients and from ns3::ThreeGppHttpVariables. A row counts
 * pages, and their times are those of ns-3's trace source RxPage.
 */
class HttpBackground : public Background
{
  public:
    /** @brief Get the type ID. */
    static TypeId GetTypeId();

    std::string Describe() const override;
    std::optional<std::string> Install(const BackgroundPlace& place) override;
    std::vector<BackgroundRow> GetRows() const override;

  private:
    uint32_t m_clients{0};            //!< attribute Clients
    SizeClassRows m_pages{"forward"}; //!< pages that have completed
    uint64_t m_requests{0};           //!< pages requested
};

} // namespace ns3::lfn

#endif // HTTP_BACKGROUND_H

// SPDX-License-Identifier: GPL-2.0-only

#ifndef LFN_ERROR_MODEL_LIST_H
#define LFN_ERROR_MODEL_LIST_H

#include "ns3/error-model.h"
#include "ns3/net-device.h"

#include <cstdint>
#include <vector>

namespace ns3::lfn
{

/**
 * @ingroup lfn
 * @brief Several error models on one device: a packet is lost if any of them says so.
 *
 * Every model sees every packet, also one that another model has lost already. So each model's
 * random stream and packet count are independent of the others. While the list is switched off
 * (IsEnabled) its models see nothing.
 */
class ErrorModelList : public ErrorModel
{
  public:
    /** @return the object TypeId */
    static TypeId GetTypeId();

    ErrorModelList();

    /**
     * @brief Add a model to a device, in addition to those that it has.
     * @param device a device with the attribute ReceiveErrorModel
     * @param model the model
     * @return false when the device has no such attribute
     */
    static bool AddTo(Ptr<NetDevice> device, Ptr<ErrorModel> model);

    /** @brief Add a model at the end. */
    void Add(Ptr<ErrorModel> model);

  protected:
    void DoDispose() override;

  private:
    bool DoCorrupt(Ptr<Packet> packet) override;
    void DoReset() override;

    std::vector<Ptr<ErrorModel>> m_models; //!< In the order of addition.
};

} // namespace ns3::lfn

#endif // LFN_ERROR_MODEL_LIST_H

// SPDX-License-Identifier: GPL-2.0-only

#include "lfn-error-model-list.h"

#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/packet.h"
#include "ns3/pointer.h"

namespace ns3::lfn
{

NS_LOG_COMPONENT_DEFINE("ErrorModelList");
NS_OBJECT_ENSURE_REGISTERED(ErrorModelList);

TypeId
ErrorModelList::GetTypeId()
{
    static TypeId tid = TypeId("ns3::lfn::ErrorModelList")
                            .SetParent<ErrorModel>()
                            .SetGroupName("Lfn")
                            .AddConstructor<ErrorModelList>()
                            .AddAttribute("Models",
                                          "The models, in the order of addition.",
                                          TypeId::ATTR_GET,
                                          ObjectVectorValue(),
                                          MakeObjectVectorAccessor(&ErrorModelList::m_models),
                                          MakeObjectVectorChecker<ErrorModel>());
    return tid;
}

ErrorModelList::ErrorModelList() = default;

bool
ErrorModelList::AddTo(Ptr<NetDevice> device, Ptr<ErrorModel> model)
{
    NS_LOG_FUNCTION(device << model);
    PointerValue value;
    if (!device->GetAttributeFailSafe("ReceiveErrorModel", value))
    {
        return false;
    }
    const auto present = value.Get<ErrorModel>();
    if (const auto list = DynamicCast<ErrorModelList>(present))
    {
        list->Add(model);
        return true;
    }
    if (present)
    {
        const auto list = CreateObject<ErrorModelList>();
        list->Add(present);
        list->Add(model);
        model = list;
    }
    device->SetAttribute("ReceiveErrorModel", PointerValue(model));
    return true;
}

void
ErrorModelList::Add(Ptr<ErrorModel> model)
{
    NS_LOG_FUNCTION(this << model);
    m_models.push_back(model);
}

void
ErrorModelList::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_models.clear();
    ErrorModel::DoDispose();
}

bool
ErrorModelList::DoCorrupt(Ptr<Packet> packet)
{
    if (!IsEnabled())
    {
        return false;
    }
    bool isLost = false;
    for (const auto& model : m_models)
    {
        isLost = model->IsCorrupt(packet) || isLost;
    }
    NS_LOG_DEBUG("packet " << packet << " of " << packet->GetSize() << " B: lost " << isLost);
    return isLost;
}

void
ErrorModelList::DoReset()
{
    NS_LOG_FUNCTION(this);
    for (const auto& model : m_models)
    {
        model->Reset();
    }
}

} // namespace ns3::lfn

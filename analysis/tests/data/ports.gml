graph [
  directed 1
  Network "Ports"
  Creator "made up"
  node [
    id 0
    label "Lulea"
    Longitude 22.15465
    Latitude 65.58415
  ]
  node [
    id 1
    label "Oulu"
    Longitude 25.46816
    Latitude 65.01236
  ]
  node [
    id 2
    label "Kiel"
    Longitude 10.13489
    Latitude 54.32133
  ]
  edge [
    source 0
    target 1
    LinkSpeed "10"
    LinkSpeedUnits "G"
    LinkLabel "10 Gbps"
    LinkSpeedRaw 10000000000.0
  ]
  edge [
    source 1
    target 0
    LinkLabel "&#62;= 2.5 Gb/s"
  ]
  edge [
    source 0
    target 2
    LinkSpeed "10"
    LinkSpeedUnits "G"
    LinkLabel "10 Gbps"
    LinkSpeedRaw 10000000000.0
  ]
  edge [
    source 2
    target 0
    LinkSpeed "10"
    LinkSpeedUnits "G"
    LinkLabel "10 Gbps"
    LinkSpeedRaw 10000000000.0
  ]
  edge [
    source 2
    target 1
    LinkLabel "STM-4"
  ]
]

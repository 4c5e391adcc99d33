graph [
  Network "Islands"
  multigraph 0
  node [
    id 0
    label "Port"
    Latitude 10.0
    Longitude 20.0
  ]
  node [
    id 1
    label "Port"
    Latitude 10.0
    Longitude 21.0
  ]
  node [
    id 2
    label "None"
    Latitude 11.0
    Longitude 21.0
  ]
  node [
    id 3
    label "Reef"
    Latitude 0.0
    Longitude 179.5
  ]
  node [
    id 4
    label "Atoll"
    Latitude 0.0
    Longitude -179.5
  ]
  node [
    id 5
    label "Rock"
    Latitude -5.0
    Longitude 0.0
  ]
  edge [
    source 0
    target 1
    LinkSpeed "<10"
    LinkSpeedUnits "G"
  ]
  edge [
    source 1
    target 2
  ]
  edge [
    source 2
    target 2
    LinkSpeedRaw 1000000.0
  ]
  edge [
    source 3
    target 4
    LinkSpeedRaw 1000000.0
  ]
]

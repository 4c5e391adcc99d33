graph [
  DateObtained "22/10/10"
  GeoLocation "Europe"
  Network "Cities"
  Creator "made up"
  node [
    id 0
    label "London"
    Country "United Kingdom"
    Longitude -0.12574
    Internal 1
    Latitude 51.50853
  ]
  node [
    id 1
    label "Paris, Rue &#34;A&#34;"
    Longitude 2.3488
    Latitude 48.85341
  ]
  node [
    id 2
    label "K&#246;ln"
    Longitude 6.95
    Latitude 50.93333
  ]
  node [
    id 3
    label "New York"
    Longitude -74.00597
    Latitude 40.71427
  ]
  node [
    id 4
    label "Exchange"
    hyperedge 1
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
    source 0
    target 1
    LinkSpeed "2.5"
    LinkSpeedUnits "G"
  ]
  edge [
    source 1
    target 2
    LinkSpeed "622"
    LinkSpeedUnits "M"
  ]
  edge [
    source 0
    target 3
    LinkSpeedRaw 155520000.0
  ]
  edge [
    source 2
    target 4
    LinkSpeedRaw 1000000000.0
  ]
  edge [
    source 0
    target 2
    LinkSpeed "34"
    LinkSpeedUnits "M"
  ]
]

// The files of prom-client that we import. Loading the whole package takes five times as long (53 ms instead of 10 ms,
// measured), mostly for other runtimes' metrics. The types are the package's own.

declare module 'prom-client/lib/registry.js' {
  import { Registry } from 'prom-client'
  export default Registry
}

declare module 'prom-client/lib/counter.js' {
  import { Counter } from 'prom-client'
  export default Counter
}

declare module 'prom-client/lib/gauge.js' {
  import { Gauge } from 'prom-client'
  export default Gauge
}

declare module 'prom-client/lib/histogram.js' {
  import { Histogram } from 'prom-client'
  export default Histogram
}

// The benchmarks. Each is a program of its own.

import { type Program, runNamed } from './test/named-programs.ts'

const BENCHMARKS: Record<string, Program> = {
  server: {
    script: 'scripts/bench-server.ts',
    does: 'start, overhead, long recordings and uploads, beside peers',
  },
  executable: { script: 'scripts/bench-executable.ts', does: 'size and start of the executable' },
  live: { script: 'scripts/bench-live.ts', does: 'live text' },
  dictate: {
    script: 'scripts/bench-dictate.ts',
    does: 'from the release of the key to the text in a window',
  },
  batched: { script: 'scripts/bench-batched.ts', does: 'dictation beside a batch' },
  search: { script: 'scripts/bench-search.ts', does: 'search and lists among 100,000 captures' },
  page: { script: 'scripts/bench-page.ts', does: 'the page in Chromium' },
  engine: {
    script: 'scripts/bench-engine.ts',
    does: 'the engine beside other engines in WebAssembly and native code',
    needsTools: true,
  },
}

const usage = `usage: npm run bench -- NAME [options]
A benchmark writes its section of BENCHMARKS.md. NAME --help lists its options.`

process.exit(await runNamed(BENCHMARKS, usage))

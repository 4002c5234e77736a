// Harnesses that break the server on purpose and count what it loses. Each is a program of its own in test/.

import { type Program, runNamed } from './test/named-programs.ts'

const HARNESSES: Record<string, Program> = {
  crash: { script: 'test/crash/kill.ts', does: 'kill the server during uploads and first starts' },
  children: {
    script: 'test/children/children.ts',
    does: 'kill its worker processes, then the server (Linux)',
  },
  machines: {
    script: 'test/machines/machines.ts',
    does: 'break several servers and workers on one Postgres (Linux, Postgres)',
  },
  powercut: { script: 'test/powercut/powercut.ts', does: 'keep only what was synced (Linux, strace)' },
  'every-call': {
    script: 'test/every-call/every-call.ts',
    does: 'fail every system call once (Linux, strace)',
  },
  pages: { script: 'test/pages/pages.ts', does: 'damage every table and index of the database' },
  'damaged-models': { script: 'test/damaged-models/damaged-models.ts', does: 'damage model files' },
  clock: { script: 'test/clock/clocks.ts', does: 'set the clock wrong (Linux, libfaketime)' },
  strangers: {
    script: 'test/strangers/strangers.ts',
    does: 'send every request from other origins, names and users (as root on Linux)',
  },
  load: { script: 'test/load/load.ts', does: 'many clients at once' },
  bodies: { script: 'test/load/bodies.ts', does: 'the largest bodies of every route' },
  soak: { script: 'test/soak/soak.ts', does: 'an hour of use' },
  batch: { script: 'test/batch/retranscribe.ts', does: '10,000 retranscriptions, with kills' },
  fuzz: { script: 'test/fuzz/malformed-uploads.ts', does: 'damaged recordings' },
  upgrade: { script: 'test/upgrade/many.ts', does: 'start on 10,000 captures of an earlier version' },
  languages: { script: 'test/languages/languages.ts', does: 'accuracy in nineteen languages' },
  agreement: { script: 'test/engine/agreement.ts', does: 'compare tokens with whisper.cpp' },
  layers: {
    script: 'test/engine/whisper/model-layers.test.ts',
    does: 'compare every layer with float64, for all types of weights',
    env: { LAYERS: 'all' },
    isTest: true,
  },
  outages: {
    script: 'test/api/contract.test.ts',
    does: 'the contract test with a full disk and without a database (Linux, Postgres)',
    env: { OUTAGES: 'all' },
    isTest: true,
  },
  'try-llm': { script: 'scripts/try-llm.ts', does: 'refine texts with a real language model' },
}

const usage = `usage: npm run torture -- NAME [--short] [options]
Most harnesses write their section of RELIABILITY.md in the full form. NAME --help lists the options of one.`

process.exit(await runNamed(HARNESSES, usage))

// What must hold after hours of use, whether it did, and the figures for a person to judge.
// Only the settled part of a run counts: its first third fills caches.

import type { Row } from '../../scripts/bench/table.ts'
import { median } from '../../scripts/bench/table.ts'
import { ROLES, type Role } from '../support/children.ts'
import type { Answer } from './client.ts'
import type { Held } from './processes.ts'
import type { Sample } from './samples.ts'
import { settled, type Trend, trendOf } from './trend.ts'

export type Run = {
  samples: Sample[]
  answers: Answer[]
  faults: string[]
  /** of the yardstick, over the run */
  yardstick: { atHours: number; tookMs: number }[]
}

export type Verdict = { rows: Row[]; broken: string[] }

const MAX_MIB_PER_HOUR = 2
/** Of all routes the median, beside what the yardstick did: the machine is not the server. */
const MAX_DRIFT = 1.25
/** of a kind, for a person to read */
const MOST_TOLD = 20

const CHILDREN = ROLES.filter((role) => role !== 'server')

/** Holds in the shortest run, too. */
export function judgeLeftovers({ samples, faults }: Run): Verdict {
  const { leftovers } = samples.at(-1)!
  const broken = [
    ...faults.slice(0, MOST_TOLD).map((fault) => `not as it should be: ${fault}`),
    ...leftovers.slice(0, MOST_TOLD).map((path) => `left behind: ${path}`),
    ...ROLES.filter((role) => hasGrown(samples, ({ held }) => held[role].files / held[role].processes)).map(
      (role) => `the ${role} holds more and more handles of files`,
    ),
  ]
  return {
    rows: [
      ...ROLES.map((role) => ({ what: `${role}: handles of files`, value: fromTo(samples, role, 'files') })),
      { what: 'files left behind', value: String(leftovers.length) },
      { what: 'answers that were not as they should be', value: String(faults.length) },
    ],
    broken,
  }
}

/** Threads come and go with the work; sockets with the clients. */
export function judgeThreads({ samples }: Run): Verdict {
  const broken = ROLES.flatMap((role) => [
    ...(hasGrown(samples, ({ held }) => held[role].threads) ? [`the ${role} has more and more threads`] : []),
    ...(hasGrown(samples, ({ held }) => held[role].sockets) ? [`the ${role} has more and more sockets`] : []),
  ])
  return {
    rows: [
      ...ROLES.map((role) => ({ what: `${role}: threads`, value: fromTo(samples, role, 'threads') })),
      { what: 'server: sockets', value: fromTo(samples, 'server', 'sockets') },
    ],
    broken,
  }
}

const fromTo = (samples: Sample[], role: Role, key: keyof Held): string => {
  const [first, last] = [settled(samples)[0]!, samples.at(-1)!]
  return `${first.held[role][key]} → ${last.held[role][key]}`
}

/** Fewer looks cannot tell what grows from what is opened at its first use. */
const FEW_LOOKS = 6
const OPENED_AT_FIRST_USE = 4

/** What is flat comes back to where it was at least once in the end. */
function hasGrown(samples: Sample[], of: (sample: Sample) => number): boolean {
  const seen = settled(samples).map(of)
  const part = Math.ceil(seen.length / 3)
  const slack = seen.length < FEW_LOOKS ? OPENED_AT_FIRST_USE : 0
  return Math.min(...seen.slice(-part)) > Math.max(...seen.slice(0, part)) + slack
}

/** Of one process: of some there is a spare one, or not, as it happens. */
const memoryOf = ({ ownMib, processes }: Held): number => ownMib / Math.max(1, processes)

/** Whether more looks would change nothing: the server surely grows by less than is promised, or surely by more. */
export const isMemoryClear = ({ samples }: Pick<Run, 'samples'>): boolean => {
  const { low, high } = trendOfMemory(samples, ['server'])
  return high <= MAX_MIB_PER_HOUR || low > MAX_MIB_PER_HOUR
}

/**
 * Of the server, which lives for months, the highest that its growth may be. Its children come and go, and one that
 * has grown is replaced: their memory swings by more than an hour could tell for certain, so the likeliest counts.
 */
export function judgeMemory({ samples }: Pick<Run, 'samples'>): Verdict {
  const rows = ROLES.map((role): Row => {
    const seen = settled(samples).map(({ held }) => memoryOf(held[role]))
    return {
      what: `${role}: memory, from the first settled look to the last`,
      value: `${mib(seen[0]!)} → ${mib(seen.at(-1)!)}`,
      note: `${asText(trendOfMemory(samples, [role]))}; at the very first look ${mib(memoryOf(samples[0]!.held[role]))}`,
    }
  })
  const server = trendOfMemory(samples, ['server'])
  const children = trendOfMemory(samples, CHILDREN)
  const broken = [
    ...(server.high > MAX_MIB_PER_HOUR
      ? [`the memory of the server may grow by more than ${MAX_MIB_PER_HOUR} MiB/h: ${asText(server)}`]
      : []),
    ...(children.perHour > MAX_MIB_PER_HOUR
      ? [`the memory of its children grows by more than ${MAX_MIB_PER_HOUR} MiB/h: ${asText(children)}`]
      : []),
  ]
  return { rows, broken }
}

/**
 * Every rest counts: four thousand operations lie between two, after which one is no more like its neighbour than like any
 * other: of what is left beside their slope, neighbours correlated by -0.3 over twelve rests and by -0.2 over eight.
 */
const trendOfMemory = (samples: Sample[], roles: readonly Role[]): Trend =>
  trendOf(
    settled(samples).map(({ atHours, held }) => ({
      atHours,
      value: roles.reduce((sum, role) => sum + memoryOf(held[role]), 0),
    })),
  )

export function judgeLatency({ answers, yardstick }: Run): Verdict {
  const machine = lateToEarly(yardstick)
  const routes = [...Map.groupBy(answers, ({ route }) => route).values()].filter((of) => of.length >= 30)
  const drift = median(routes.map(lateToEarly)) / machine
  const p50 = median(answers.map(({ tookMs }) => tookMs))
  return {
    rows: [
      { what: 'answers, all routes', value: String(answers.length), note: `p50 ${p50.toFixed(1)} ms` },
      {
        what: 'p50 of the last third of the settled time to that of the first, median of the routes',
        value: (drift * machine).toFixed(2),
        note: `of an empty server meanwhile ${machine.toFixed(2)}`,
      },
    ],
    broken: drift > MAX_DRIFT ? [`answers take ${drift.toFixed(2)} times as long in the end`] : [],
  }
}

function lateToEarly(times: { atHours: number; tookMs: number }[]): number {
  const of = settled(times)
  const third = Math.ceil(of.length / 3)
  const p50 = (some: typeof times) => median(some.map(({ tookMs }) => tookMs))
  return p50(of.slice(-third)) / p50(of.slice(0, third))
}

const mib = (value: number) => `${value.toFixed(1)} MiB`
const signed = (value: number) => `${value >= 0 ? '+' : ''}${value.toFixed(1)}`
const asText = ({ perHour, low, high }: Trend) =>
  `${signed(perHour)} MiB/h, with 95 % certainty from ${signed(low)} to ${signed(high)}`

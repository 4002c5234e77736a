// What a run of tests says at its end, from its JUnit report: the counts, and commands that rerun each failed test alone.
// A file that failed to load is not in the report, but the run has printed its name.

/** One line per failed test, for a shell. */
export function howToRunAlone(report: string): string[] {
  const failed = report.matchAll(/<testcase name="([^"]*)"[^>]* file="([^"]*)"[^>]*>\s*<failure/g)
  const lines = [...failed].map(([, name = '', file = '']) => {
    // Bun takes the name as a regular expression.
    const pattern = unescapeXml(name).replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    return `npm test -- ${unescapeXml(file)} -t ${quoted(pattern)}`
  })
  return [...new Set(lines)]
}

const ENTITIES: Record<string, string> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' }

const unescapeXml = (text: string): string =>
  text.replaceAll(/&(\w+);/g, (entity, name) => ENTITIES[name] ?? entity)

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export type Counts = { passed: number; failed: number; skipped: number }

/** The line that ends a run of several reports. */
export function summaryOf(all: readonly Counts[]): string {
  const sum = (count: keyof Counts) => all.reduce((total, counts) => total + counts[count], 0)
  const skipped = sum('skipped')
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

const LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm

/** Of the last such line in the output of a run; null without one. */
export function summaryIn(output: string): Counts | null {
  const [, passed, failed, skipped = 0] = [...output.matchAll(LINE)].at(-1) ?? []
  return passed === undefined
    ? null
    : { passed: Number(passed), failed: Number(failed), skipped: Number(skipped) }
}

const SUITES = /<testsuites [^>]*tests="(\d+)"[^>]*failures="(\d+)"[^>]*skipped="(\d+)"/

/** From a JUnit report of Bun; an interrupted run may have left none. */
export function countsIn(report: string): Counts {
  const [, tests = 0, failed = 0, skipped = 0] = report.match(SUITES) ?? []
  return {
    passed: Number(tests) - Number(failed) - Number(skipped),
    failed: Number(failed),
    skipped: Number(skipped),
  }
}

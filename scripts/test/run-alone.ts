// Commands that rerun each failed test alone, from the JUnit report of a run. A file that failed to load is not in the
// report, but the run has printed its name.

/** One line per test, for a shell. */
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

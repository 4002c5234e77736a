import { expect, test } from 'bun:test'
import { markdownTable, withSection } from '../../../scripts/bench/report.ts'

const titles = (document: string) => [...document.matchAll(/^## (.*)$/gm)].map(([, title]) => title)

test('a section goes to its place, whichever harness runs first', () => {
  const clocks = withSection('', 'Clocks', 'one')
  const load = withSection(clocks, 'Load', 'two')
  const all = withSection(load, 'A power cut', 'three')
  expect(titles(all)).toEqual(['A power cut', 'Load', 'Clocks'])
  expect(all).toStartWith('# Reliability\n')
})

test('a section replaces its previous version and nothing else', () => {
  const document = withSection(withSection('', 'Load', 'old\n\n- list'), 'Soak', 'kept\n\n| a |\n|---|')
  const rewritten = withSection(document, 'Load', 'new')
  expect(rewritten).not.toContain('old')
  expect(rewritten).toContain('## Load\n\nnew\n')
  expect(rewritten).toContain('## Soak\n\nkept\n\n| a |\n|---|\n')
  expect(withSection(rewritten, 'Load', 'new')).toBe(rewritten)
})

test('a section that no harness writes stays, after the measured ones', () => {
  const document = `${withSection('', 'Soak', 'rates')}\n## Not tested\n\nA fire.\n`
  const rewritten = withSection(withSection(document, 'Load', 'times'), 'Soak', 'other rates')
  expect(titles(rewritten)).toEqual(['Load', 'Soak', 'Not tested'])
  expect(rewritten).toEndWith('## Not tested\n\nA fire.\n')
})

test('a table has a line for each row, and a bar in a cell is escaped', () => {
  expect(markdownTable(['what', 'value'], [['a | b', '1']])).toBe(
    '| what | value |\n|---|---|\n| a \\| b | 1 |',
  )
})

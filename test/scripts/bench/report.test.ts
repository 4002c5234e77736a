import { expect, test } from 'bun:test'
import { markdownTable, withSection } from '../../../scripts/bench/report.ts'

const titles = (document: string) => [...document.matchAll(/^## (.*)$/gm)].map(([, title]) => title)

test('a section goes to its place, whichever command runs first', () => {
  const kernels = withSection('', 'Kernels', 'one')
  const engine = withSection(kernels, 'Engine', 'two')
  const all = withSection(engine, 'Server', 'three')
  expect(titles(all)).toEqual(['Server', 'Engine', 'Kernels'])
  expect(all).toStartWith('# Benchmarks\n')
})

test('a section replaces its previous version and nothing else', () => {
  const document = withSection(withSection('', 'Server', 'old\n\n- list'), 'Engine', 'kept\n\n| a |\n|---|')
  const rewritten = withSection(document, 'Server', 'new')
  expect(rewritten).not.toContain('old')
  expect(rewritten).toContain('## Server\n\nnew\n')
  expect(rewritten).toContain('## Engine\n\nkept\n\n| a |\n|---|\n')
  expect(withSection(rewritten, 'Server', 'new')).toBe(rewritten)
})

test('a section that no command writes stays, after the measured ones', () => {
  const document = `${withSection('', 'Kernels', 'rates')}\n## What was tried\n\nNothing helped.\n`
  const rewritten = withSection(withSection(document, 'Engine', 'times'), 'Kernels', 'other rates')
  expect(titles(rewritten)).toEqual(['Engine', 'Kernels', 'What was tried'])
  expect(rewritten).toEndWith('## What was tried\n\nNothing helped.\n')
})

test('a table has a line for each row, and a bar in a cell is escaped', () => {
  expect(markdownTable(['what', 'value'], [['a | b', '1']])).toBe(
    '| what | value |\n|---|---|\n| a \\| b | 1 |',
  )
})

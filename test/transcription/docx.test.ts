import { expect, test } from 'bun:test'
import { docxOf } from '../../src/transcription/docx.ts'
import { readZip } from '../support/zip.ts'

const partsOf = (text: string, title = 'A talk') => {
  const modifiedAt = new Date(2026, 0, 31, 12, 30)
  return new Map(
    readZip(docxOf({ title, text, modifiedAt })).map(({ name, bytes }) => [name, bytes.toString()]),
  )
}

test('contains the parts that a word processor needs, with the title, paragraphs and line breaks', () => {
  const parts = partsOf('First paragraph.\nIts second line.\n\nSecond paragraph.')
  expect([...parts.keys()]).toEqual([
    ...['[Content_Types].xml', '_rels/.rels', 'word/document.xml'],
    ...['word/_rels/document.xml.rels', 'word/styles.xml'],
  ])
  const body = parts.get('word/document.xml')!
  expect(body.match(/<w:p>/g)).toHaveLength(3)
  expect(body).toContain('<w:pStyle w:val="Title"/></w:pPr><w:r><w:t xml:space="preserve">A talk</w:t>')
  expect(body).toContain('First paragraph.</w:t><w:br/><w:t xml:space="preserve">Its second line.</w:t>')
})

test('escapes markup and leaves out what XML does not allow', () => {
  const body = partsOf('Tom & Jerry <b>\u0001ran\ud800</b>', '').get('word/document.xml')!
  expect(body).toContain('Tom &amp; Jerry &lt;b&gt;ran\ufffd&lt;/b&gt;')
  expect(body).not.toContain('Title')
})

test('sizes and offsets are right for any length', () => {
  const body = partsOf('ä'.repeat(200_000)).get('word/document.xml')!
  expect(body).toContain('ä'.repeat(200_000))
})

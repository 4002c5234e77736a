// A transcript as a Word document (Office Open XML): a title and paragraphs, in a ZIP archive with stored files.

import { crc32 } from 'node:zlib'

export type WrittenDocument = { title: string; text: string; modifiedAt: Date }

const MAIN = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml'

export const DOCX_MEDIA_TYPE = `${WORD}.document`

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

const CONTENT_TYPES = `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${WORD}.styles+xml"/></Types>`

const relationship = (type: string, target: string) =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/${type}" Target="${target}"/></Relationships>`

/** Sizes are in half points, spaces in twentieths of a point. */
const STYLES = `${HEAD}<w:styles xmlns:w="${MAIN}"><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="160" w:line="276" w:lineRule="auto"/></w:pPr><w:rPr><w:sz w:val="22"/></w:rPr></w:style><w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:rPr><w:b/><w:sz w:val="36"/></w:rPr></w:style></w:styles>`

export function docxOf({ title, text, modifiedAt }: WrittenDocument): Uint8Array<ArrayBuffer> {
  const paragraphs = text
    .trim()
    .split(/\n{2,}/)
    .filter((part) => part !== '')
  const body = [
    ...(title === '' ? [] : [paragraph(title, '<w:pPr><w:pStyle w:val="Title"/></w:pPr>')]),
    ...paragraphs.map((part) => paragraph(part)),
  ].join('')
  return storedZip(
    {
      '[Content_Types].xml': CONTENT_TYPES,
      '_rels/.rels': relationship('officeDocument', 'word/document.xml'),
      'word/document.xml': `${HEAD}<w:document xmlns:w="${MAIN}"><w:body>${body}<w:sectPr/></w:body></w:document>`,
      'word/_rels/document.xml.rels': relationship('styles', 'styles.xml'),
      'word/styles.xml': STYLES,
    },
    modifiedAt,
  )
}

const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties}<w:r>${text.split('\n').map(lineOf).join('<w:br/>')}</w:r></w:p>`

const lineOf = (line: string) => `<w:t xml:space="preserve">${escapeXml(line)}</w:t>`

/** Characters that XML 1.0 does not allow in any form. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed
const NOT_XML = /[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_XML, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** The names are in UTF-8. */
const FLAGS = 0x0800
const VERSION = 20

/**
 * Not with client-zip, which streams: it writes the size of a file after its content, which office programs refuse for
 * files that are not compressed.
 */
function storedZip(files: Record<string, string>, modifiedAt: Date): Uint8Array<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)]
    const shared = Buffer.alloc(26)
    shared.writeUInt16LE(VERSION, 0)
    shared.writeUInt16LE(FLAGS, 2)
    shared.writeUInt32LE(dosTime(modifiedAt), 6)
    shared.writeUInt32LE(crc32(content), 10)
    shared.writeUInt32LE(content.length, 14)
    shared.writeUInt32LE(content.length, 18)
    shared.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const local = [Buffer.from('PK\x03\x04'), shared, name, content]
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([VERSION, 0]), shared, place, name)
    parts.push(...local)
    offset += local.reduce((sum, { length }) => sum + length, 0)
  }
  const central = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  const count = Object.keys(files).length
  end.writeUInt16LE(count, 4)
  end.writeUInt16LE(count, 6)
  end.writeUInt32LE(central.length, 8)
  end.writeUInt32LE(offset, 12)
  return new Uint8Array(Buffer.concat([...parts, central, Buffer.from('PK\x05\x06'), end]))
}

/** MS-DOS time and date, in one number; local time, two seconds precise, from 1980 on. */
function dosTime(at: Date): number {
  const date = ((Math.max(1980, at.getFullYear()) - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate()
  const time = (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1)
  return date * 0x10000 + time
}

import { expect, test } from 'bun:test'
import { DatabaseError } from '../../db/errors.ts'
import { isDiskFull } from '../../src/lib/disk-space.ts'

const withCode = (code: string) => Object.assign(new Error('it failed'), { code })

test('recognises a full file system, an exhausted quota and a full database', () => {
  for (const error of [
    withCode('ENOSPC'),
    withCode('EDQUOT'),
    new DatabaseError('could not extend', '53100'),
  ])
    expect(isDiskFull(error)).toBe(true)
})

test('does not treat other errors as a full disk', () => {
  for (const error of [withCode('EIO'), new Error('ENOSPC'), new DatabaseError('gone', null), 'ENOSPC', null])
    expect(isDiskFull(error)).toBe(false)
})

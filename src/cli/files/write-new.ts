import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { systemReason } from '../../lib/os-errors.ts'
import { CommandFailure } from '../terminal/failure.ts'

/** Writes a whole file or none. @throws CommandFailure if it exists and is not to be replaced, or cannot be written */
export async function writeNew(
  path: string,
  content: Response,
  { isReplaced }: { isReplaced: boolean },
): Promise<void> {
  if (!isReplaced && existsSync(path))
    throw new CommandFailure(`${path} already exists and was not replaced.`, {
      code: 'file_exists',
      hint: 'Add --force to replace it.',
    })
  const part = `${path}.${process.pid}.part`
  try {
    await Bun.write(part, content)
    await rename(part, path)
  } catch (error) {
    await rm(part, { force: true })
    throw new CommandFailure(`${path} could not be written: ${systemReason(error) ?? String(error)}.`, {
      code: 'write_failed',
      cause: error,
    })
  }
}

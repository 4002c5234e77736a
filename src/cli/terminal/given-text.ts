import { UsageError } from './failure.ts'

/** The text in the arguments, or standard input without its last line break. */
export async function givenText(args: string[]): Promise<string> {
  if (args.length > 0) return args.join(' ')
  const text = await pipedText()
  if (text !== '') return text
  throw new UsageError('There is no text.', 'Write it after the command, or pipe it in.')
}

/** Standard input without its last line break; empty on a terminal. */
export async function pipedText(): Promise<string> {
  if (process.stdin.isTTY) return ''
  return (await Bun.stdin.text()).replace(/\r?\n$/, '')
}

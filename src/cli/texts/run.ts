import type { Static } from '@sinclair/typebox'
import type { CommandRunSchema } from '../../http/commands/run-schema.ts'
import type { Given } from '../command.ts'
import { findStyle } from '../styles/styles.ts'
import { EXIT } from '../terminal/exit.ts'
import { pipedText } from '../terminal/given-text.ts'
import type { Tools } from '../tools.ts'

type Options = { style?: string; app?: string; language?: string; 'dry-run'?: boolean }

export async function runTextCommand(
  { server, report }: Tools,
  { args, options }: Given<Options>,
): Promise<number> {
  const { style, app, language } = options
  const selected = await pipedText()
  const run = await server.request<Static<typeof CommandRunSchema>>('POST', '/commands/run', {
    json: {
      command: args.join(' '),
      selected_text: selected,
      ...(style !== undefined && { writing_style_id: (await findStyle(server, style)).id }),
      ...(app !== undefined && { context: { app_name: app } }),
      ...(language !== undefined && { language }),
      ...(options['dry-run'] && { dry_run: true }),
    },
  })
  // Also if nothing was done: an editor replaces its selection with this output.
  report.answer(run, () => run.output)
  if (run.keys.length > 0) report.note(`Press ${run.keys.join(', then ')}.`)
  if (run.status === 'succeeded' || run.status === 'no_changes') return EXIT.done
  report.say(run.error?.message ?? `The command did nothing: ${run.status.replaceAll('_', ' ')}.`)
  return EXIT.failed
}

import type { Static } from '@sinclair/typebox'
import type { PreviewSchema } from '../../http/writing-styles/preview.ts'
import type { Given } from '../command.ts'
import type { ServerClient } from '../connection/server-client.ts'
import { findStyle, type WireStyle } from '../styles/styles.ts'
import { EXIT } from '../terminal/exit.ts'
import { UsageError } from '../terminal/failure.ts'
import { givenText } from '../terminal/given-text.ts'
import type { Tools } from '../tools.ts'

type Options = { style?: string; app?: string; language?: string; rules?: boolean }

export async function refineCommand(
  { server, report }: Tools,
  { args, options }: Given<Options>,
): Promise<number> {
  const text = await givenText(args)
  const style = await styleOf(server, options)
  const refined = await server.request<Static<typeof PreviewSchema>>(
    'POST',
    `/writing-styles/${style.id}/preview`,
    {
      json: {
        text,
        ...(options.language !== undefined && { language: options.language }),
        ...(options.rules && { use_llm: false }),
      },
    },
  )
  report.answer(refined, () => refined.text)
  for (const { message } of refined.warnings) report.note(message)
  return EXIT.done
}

async function styleOf(server: ServerClient, { style, app }: Options): Promise<WireStyle> {
  if (style !== undefined && app !== undefined) throw new UsageError('Give either --style or --app.')
  if (style !== undefined) return findStyle(server, style)
  const query = new URLSearchParams(app === undefined ? {} : { app })
  const match = await server.request<{ style: WireStyle }>('GET', `/writing-styles/match?${query}`)
  return match.style
}

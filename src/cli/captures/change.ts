import type { Given } from '../command.ts'
import { quantity } from '../items.ts'
import { confirm } from '../terminal/confirm.ts'
import { each } from '../terminal/each.ts'
import { EXIT } from '../terminal/exit.ts'
import type { Tools } from '../tools.ts'
import { captureIds } from './find.ts'

export async function starCommand(
  tools: Tools,
  { args, options }: Given<{ off?: boolean }>,
): Promise<number> {
  const starred = options.off !== true
  const ids = await captureIds(tools.server, args)
  return each(tools, ids, {
    act: (id) => tools.server.request('PATCH', `/captures/${id}`, { json: { starred } }),
    done: (count) => `${starred ? 'Starred' : 'Removed the star of'} ${quantity(count, 'capture')}.`,
  })
}

type Removal = { permanent?: boolean; yes?: boolean }

export async function removeCommand(tools: Tools, { args, options }: Given<Removal>): Promise<number> {
  const ids = await captureIds(tools.server, args)
  const those = quantity(ids.length, 'capture')
  if (options.permanent) {
    if (!(await confirm(`Delete ${those} permanently?`, options.yes === true))) return EXIT.failed
    return each(tools, ids, {
      act: (id) => tools.server.request('DELETE', `/captures/${id}`),
      done: (count) => `Deleted ${quantity(count, 'capture')}.`,
    })
  }
  if (!(await confirm(`Move ${those} to the trash?`, options.yes === true))) return EXIT.failed
  return each(tools, ids, {
    act: (id) => tools.server.request('POST', `/captures/${id}/trash`),
    done: (count) =>
      `Moved ${quantity(count, 'capture')} to the trash; "dictation captures restore" undoes it.`,
  })
}

export async function restoreCommand(tools: Tools, { args }: Given): Promise<number> {
  const ids = await captureIds(tools.server, args, 'trash')
  return each(tools, ids, {
    act: (id) => tools.server.request('POST', `/captures/${id}/restore`),
    done: (count) => `Restored ${quantity(count, 'capture')}.`,
  })
}

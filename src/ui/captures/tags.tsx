// The tags of one or more captures, and the menu that adds and removes them. Each change can be undone.

import { useId, useRef } from 'preact/hooks'
import { linkTo } from '../address.ts'
import { Icon } from '../parts/icons.tsx'
import { useLoad } from '../parts/load.tsx'
import { Menu } from '../parts/menu.tsx'
import { noteFault, offerUndo } from '../parts/toasts.tsx'
import { Refused, request } from '../server/request.ts'
import type { DetailedCapture, ListedCapture, UsedTags } from '../server/wire.ts'
import { counted, filled, strings } from '../strings/strings.ts'
import { showChanged } from './capture-list.ts'

type Tagged = Pick<ListedCapture, 'id' | 'tags'>
type TagChange = { add_tags?: string[]; remove_tags?: string[] }

/** The server's limit per page. */
const MAX_SUGGESTED = 200

export const loadUsedTags = async (): Promise<string[]> => {
  const { items } = await request<UsedTags>(`/captures/tags?limit=${MAX_SUGGESTED}`)
  return items.map(({ tag }) => tag)
}

async function patchTags(id: string, change: TagChange): Promise<string[]> {
  const { tags } = await request<DetailedCapture>(`/captures/${id}`, { method: 'PATCH', json: change })
  showChanged(id, { tags })
  return tags
}

async function changeTags(captures: readonly Tagged[], change: TagChange): Promise<void> {
  const text = strings.value.captures
  const reverse: [id: string, TagChange][] = []
  try {
    for (const { id, tags: former } of captures) {
      const tags = await patchTags(id, change)
      const gained = tags.filter((tag) => !former.includes(tag))
      const lost = former.filter((tag) => !tags.includes(tag))
      if (gained.length + lost.length > 0) reverse.push([id, { add_tags: lost, remove_tags: gained }])
    }
  } catch (error) {
    const isLimit = error instanceof Refused && error.problem.code === 'invalid_request'
    noteFault(isLimit ? text.tagLimits : error)
  }
  if (reverse.length === 0) return
  offerUndo(counted(reverse.length, text.tagsChanged), async () => {
    for (const [id, back] of reverse) await patchTags(id, back)
  })
}

type Props = { captures: readonly Tagged[]; hasLabel?: boolean; class?: string }

export const TagMenu = ({ captures, ...look }: Props) => (
  <Menu label={strings.value.captures.tags} icon="tag" {...look}>
    <TagEditor captures={captures} />
  </Menu>
)

const TagEditor = ({ captures }: Pick<Props, 'captures'>) => {
  const text = strings.value.captures
  const listId = useId()
  const field = useRef<HTMLInputElement>(null)
  const used = useLoad(loadUsedTags)
  const tags = [...new Set(captures.flatMap((capture) => capture.tags))]
  const add = async () => {
    const typed = field.current!.value.split(',').map((tag) => tag.trim())
    field.current!.value = ''
    const wanted = typed.filter((tag) => tag !== '')
    if (wanted.length > 0) await changeTags(captures, { add_tags: wanted })
    void used.reload()
  }
  return (
    <div class="tageditor" data-stays>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <input ref={field} list={listId} aria-label={text.addTag} placeholder={text.addTag} autofocus />
        <button type="submit">{text.add}</button>
        <datalist id={listId}>
          {used.value?.map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      </form>
      <ul class="plainlist">
        {tags.map((tag) => (
          <li key={tag}>
            <button type="button" onClick={() => void changeTags(captures, { remove_tags: [tag] })}>
              <Icon name="close" />
              {filled(text.removeTag, { tag })}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The tags of the open capture, each a link to the captures that have it. */
export const TagLinks = ({ capture }: { capture: Tagged }) => (
  <ul class="row plainlist taglinks" aria-label={strings.value.captures.tags}>
    {capture.tags.map((tag) => (
      <li key={tag}>
        <a class="tag" href={linkTo(['captures'], { tag })}>
          {tag}
        </a>
      </li>
    ))}
    <li>
      <TagMenu captures={[capture]} class="quiet" hasLabel={capture.tags.length === 0} />
    </li>
  </ul>
)

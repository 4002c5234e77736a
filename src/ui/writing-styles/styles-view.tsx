// The writing styles: a list that says what each does, and a view of its own for each (one-style.tsx).

import { type Address, goTo, linkTo } from '../address.ts'
import { figure } from '../parts/formats.ts'
import { Icon } from '../parts/icons.tsx'
import { Heading } from '../parts/layout.tsx'
import { useLoad, WhenLoaded } from '../parts/load.tsx'
import { attempt } from '../parts/toasts.tsx'
import { request } from '../server/request.ts'
import type { ListOf, ShownStyle } from '../server/wire.ts'
import { filled, strings } from '../strings/strings.ts'
import { OneStyle } from './one-style.tsx'

const VIEW = 'writing-styles'

export const StylesView = ({ address }: { address: Address }) => {
  const { shell, styles: words, views } = strings.value
  const list = useLoad((signal) => request<ListOf<ShownStyle>>(`/${VIEW}`, { signal }))
  const id = address.path[1]
  const create = async (content: object) => {
    const made = await request<ShownStyle>(`/${VIEW}`, { method: 'POST', json: content })
    await list.reload()
    goTo([VIEW, made.id])
  }
  if (id === undefined)
    return (
      <>
        <div class="viewhead">
          <Heading text={views.styles} />
          {list.value && (
            <button
              type="button"
              class="primary"
              onClick={() => void attempt(() => create({ name: freeName(list.value!.items) }))}
            >
              {words.add}
            </button>
          )}
        </div>
        <p class="muted">{words.about}</p>
        <WhenLoaded of={list}>
          {({ items }) => (
            <ul class="plainlist lines stylelist">
              {items.map((style) => (
                <StyleRow key={style.id} style={style} />
              ))}
            </ul>
          )}
        </WhenLoaded>
      </>
    )
  return (
    <WhenLoaded of={list}>
      {({ items }) => {
        const style = items.find((one) => one.id === id)
        if (style) return <OneStyle key={style.id} style={style} reload={list.reload} create={create} />
        return (
          <>
            <Heading text={shell.notFound} />
            <a href={linkTo([VIEW])}>{words.all}</a>
          </>
        )
      }}
    </WhenLoaded>
  )
}

/** "New style", "New style 2" … */
function freeName(styles: readonly ShownStyle[]): string {
  const { newName } = strings.value.styles
  const taken = new Set(styles.map(({ name }) => name.toLowerCase()))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? newName : `${newName} ${number}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

const StyleRow = ({ style }: { style: ShownStyle }) => {
  const { styles: words } = strings.value
  const places = placesOf(style)
  return (
    <li class={style.enabled ? undefined : 'off'}>
      <a href={linkTo([VIEW, style.id])}>
        <span class="row">
          <span class="word">{style.name}</span>
          {style.is_default && <span class="badge strong">{words.isDefault}</span>}
          {style.kind === 'custom' && <span class="badge">{words.own}</span>}
          {!style.enabled && <span class="badge">{words.off}</span>}
        </span>
        <span>{style.description}</span>
        <span class="dotted muted small">
          {places && <span>{filled(words.usedIn, { places })}</span>}
          {style.usage_count > 0 && <span>{filled(words.used, { n: figure(style.usage_count) })}</span>}
        </span>
      </a>
      <Icon name="next" />
    </li>
  )
}

/** As many as fit into a line. */
const MAX_PLACES = 4

/** The kinds of apps say most; web pages only count where nothing else is set. */
function placesOf({ apps, app_categories: categories, url_patterns: pages }: ShownStyle): string {
  const { categoryNames } = strings.value.styles
  const named = [...categories.map((name) => categoryNames[name] ?? name), ...apps]
  const all = named.length > 0 ? named : pages
  return all.slice(0, MAX_PLACES).join(', ') + (all.length > MAX_PLACES ? ' …' : '')
}

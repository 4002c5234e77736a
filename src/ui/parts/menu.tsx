// A button that opens a popover with actions, links or choices. The browser closes it on Esc and on a press elsewhere,
// and then returns the focus to the button.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon, type IconName } from './icons.tsx'

type Props = {
  /** the name of the button, shown next to its icon if `hasLabel` */
  label: string
  icon: IconName
  hasLabel?: boolean
  /** classes of the button */
  class?: string
  tabIndex?: number
  /** rendered while the menu is open; a link or button closes it, except in an element with `data-stays` */
  children: ComponentChildren
}

const FROM_EDGE = 8
const FROM_BUTTON = 4
const ITEMS = 'a[href], button, select, input'

export const Menu = ({ label, icon, hasLabel = false, class: look = '', tabIndex = 0, children }: Props) => {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [isOpen, open] = useState(false)
  useLayoutEffect(() => {
    if (!isOpen) return
    let frame = 0
    // The items are rendered before the browser shows the popover, and it has no size until then.
    const placeSoon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => place(panel.current!, button.current!))
    }
    placeSoon()
    addEventListener('resize', placeSoon)
    addEventListener('scroll', placeSoon)
    return () => {
      cancelAnimationFrame(frame)
      removeEventListener('resize', placeSoon)
      removeEventListener('scroll', placeSoon)
    }
  })
  return (
    <>
      <button
        ref={button}
        type="button"
        class={hasLabel ? look : `icon ${look}`}
        popovertarget={id}
        tabIndex={tabIndex}
        title={hasLabel ? undefined : label}
        aria-label={hasLabel ? undefined : label}
        onKeyDown={(event) => isOpen && step(event, panel.current!)}
      >
        <Icon name={icon} />
        {hasLabel && <span>{label}</span>}
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys and presses come from the items in it */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        class="menu"
        onBeforeToggle={({ newState }) => newState === 'open' && open(true)}
        onToggle={({ newState }) => newState === 'closed' && open(false)}
        onKeyDown={(event) => step(event, panel.current!)}
        onClick={({ target }) => {
          const item = target instanceof Element ? target.closest('a, button') : null
          if (item && !item.closest('[data-stays]')) panel.current?.hidePopover()
        }}
      >
        {isOpen && children}
      </div>
    </>
  )
}

/** Below the button, or above it if there is more room, within the window. */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { offsetWidth: width, offsetHeight: height } = panel
  const { clientWidth, clientHeight } = document.documentElement
  const left = Math.max(FROM_EDGE, Math.min(at.right - width, clientWidth - width - FROM_EDGE))
  const below = at.bottom + FROM_BUTTON
  const isAbove = below + height > clientHeight && at.top > clientHeight - at.bottom
  const top = isAbove ? Math.max(FROM_EDGE, at.top - height - FROM_BUTTON) : below
  panel.style.left = `${left}px`
  panel.style.top = `${top}px`
}

/** Up and down arrows move between the items. */
function step(event: KeyboardEvent, panel: HTMLElement): void {
  const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (by === 0 || (event.target instanceof Element && event.target.matches('select, input'))) return
  const items = [...panel.querySelectorAll<HTMLElement>(ITEMS)].filter((item) => item.checkVisibility())
  const at = items.indexOf(document.activeElement as HTMLElement)
  event.preventDefault()
  items[(at + by + items.length) % items.length]?.focus()
}

// The page's icons, as paths of one 24 by 24 grid, drawn as lines in the colour of the text.

const PATHS = {
  play: 'M7 4.5v15l12-7.5z',
  pause: 'M8 5v14M16 5v14',
  stop: 'M7 7h10v10H7z',
  star: 'm12 3.5 2.6 5.4 5.9.8-4.3 4.1 1.1 5.9-5.3-2.9-5.3 2.9 1.1-5.9L3.5 9.7l5.9-.8z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  trash: 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5',
  restore: 'M4 9h10a5 5 0 0 1 0 10H8M8 5 4 9l4 4',
  download: 'M12 4v11M7 11l5 5 5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  back: 'M15 5l-7 7 7 7',
  down: 'm6 9.5 6 6 6-6',
  next: 'M9 5l7 7-7 7',
  close: 'M6 6l12 12M18 6 6 18',
  more: 'M5 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6zM12 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6zM19 11.2a.8.8 0 1 0 0 1.6.8.8 0 0 0 0-1.6z',
  filter: 'M4 6.5h16M7 12h10M10 17.5h4',
  sort: 'M4 6.5h9M4 12h7M4 17.5h4M17 6v12M14 15l3 3 3-3',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20',
  record: 'M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM5.5 11a6.5 6.5 0 0 0 13 0M12 17.5V21',
  files: 'M6 3h8l5 5v13H6zM14 3v5h5M12 18v-6M9 14.5l3-3 3 3',
  captures: 'M4 6.5h16M4 12h16M4 17.5h10',
  dictionary:
    'M5 4.5A1.5 1.5 0 0 1 6.5 3H19v15H6.5A1.5 1.5 0 0 0 5 19.5zM5 19.5A1.5 1.5 0 0 0 6.5 21H19v-3M9 13l3-6 3 6M10 11h4',
  styles: 'M4 20c4 0 5-2 5-4.5L18.5 5A2 2 0 0 1 21 7.5L11 17M9 15.5 11 17',
  commands: 'm5 7 5 5-5 5M12.5 17H19',
  models: 'M7 7h10v10H7zM10 4v3M14 4v3M10 17v3M14 17v3M4 10h3M4 14h3M17 10h3M17 14h3',
  jobs: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  statistics: 'M5 20v-7M10 20V5M15 20v-9M20 20V8',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h.01M10 14h4',
  api: 'M9 7l-5 5 5 5M15 7l5 5-5 5',
  globe:
    'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM3.5 12h17M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17',
  wand: 'M5 19 15 9M18 4v4M16 6h4M19 13v3M17.5 14.5h3M9 4v3M7.5 5.5h3',
  compare: 'M4 5h7v14H4zM13 5h7v14h-7zM6.5 9H9M6.5 12H9M15.5 9H18M15.5 12H18M15.5 15H18',
  tag: 'M4 4h8l8 8-8 8-8-8zM8.2 8.2h.01',
  again: 'M19 12a7 7 0 1 1-2-5M17 3v4h-4',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  back5: 'M5 11a7.5 7.5 0 1 1 1 5M4 6v5h5',
  forward5: 'M19 11a7.5 7.5 0 1 0-1 5M20 6v5h-5',
}

export type IconName = keyof typeof PATHS

type Props = { name: IconName; isFull?: boolean; size?: number }

export const Icon = ({ name, isFull = false, size = 18 }: Props) => (
  <svg
    class={isFull ? 'drawn full' : 'drawn'}
    viewBox="0 0 24 24"
    width={size}
    height={size}
    aria-hidden="true"
    focusable="false"
  >
    <path d={PATHS[name]} />
  </svg>
)

/** The mark of the product: sound that becomes text. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="9" />
    <path d="M7.5 13.5v5M12.5 9v14M17.5 12v8M22 8.5c1.2 0 2 .6 2.5 1.5.5-.9 1.3-1.5 2.5-1.5M24.5 10v12M22 23.5c1.2 0 2-.6 2.5-1.5.5.9 1.3 1.5 2.5 1.5" />
  </svg>
)

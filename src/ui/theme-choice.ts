// The theme of the page: the system's, or a choice stored in this browser.

import { signal } from '@preact/signals'
import { forget, remember, remembered } from './browser-storage.ts'

export type Theme = 'system' | 'light' | 'dark'

const KEPT = 'theme'

const storedTheme = (): Theme => {
  const value = remembered(KEPT)
  return value === 'light' || value === 'dark' ? value : 'system'
}

export const theme = signal<Theme>(storedTheme())

export function chooseTheme(chosen: Theme): void {
  theme.value = chosen
  if (chosen === 'system') {
    forget(KEPT)
    delete document.documentElement.dataset.theme
  } else {
    remember(KEPT, chosen)
    document.documentElement.dataset.theme = chosen
  }
}

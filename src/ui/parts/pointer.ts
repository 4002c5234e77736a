// Texts name what the user has: a mouse and keys, or a finger.

import { signal } from '@preact/signals'

const touch = matchMedia('(hover: none) and (pointer: coarse)')

export const pointer = signal<'mouse' | 'touch'>(touch.matches ? 'touch' : 'mouse')

touch.addEventListener('change', () => {
  pointer.value = touch.matches ? 'touch' : 'mouse'
})

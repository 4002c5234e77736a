// The program that shows an address in the user's browser.

import type { Environment } from '../../config.ts'

/** Null where there is no desktop to show it on. */
export function openerFor(platform: NodeJS.Platform, env: Environment): string[] | null {
  if (platform === 'darwin') return ['open']
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  if (env.BROWSER) return [env.BROWSER]
  const hasDesktop = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY)
  return hasDesktop && Bun.which('xdg-open') !== null ? ['xdg-open'] : null
}

// Settings that choose where text and keys are sent: their checks, and which pages may change them.

import { wireName } from '../../lib/schema-mapping.ts'
import { keyVariableFault } from '../../llm/key-variable.ts'
import { parseBaseUrl } from '../../models/hub-address.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Fault, Problem } from '../contract/problem.ts'
import { foreignPageRefused } from '../server/foreign-page.ts'
import type { OwnAddress } from '../server/origins.ts'

const DESTINATIONS = ['llmBaseUrl', 'llmApiKeyEnv', 'webhookUrl', 'modelBaseUrl'] as const

/** Any client can read the settings, so they must not contain keys; the text says where a key belongs instead. */
const KEY_PLACES = {
  llmBaseUrl: 'set llm_api_key_env to the name of an environment variable that holds the key',
  webhookUrl:
    'deliveries are signed with webhookKey in library.json in the data folder, so that the receiver can verify them',
}

export function destinationFaults({ modelBaseUrl, llmApiKeyEnv, ...others }: Partial<Settings>): Fault[] {
  const faults: Fault[] = []
  const address = modelBaseUrl ? parseBaseUrl(modelBaseUrl) : null
  if (address?.ok === false) faults.push({ in: 'body', path: '/model_base_url', message: address.failure })
  for (const [name, instead] of Object.entries(KEY_PLACES)) {
    const url = others[name as keyof typeof KEY_PLACES]
    const fault = url ? addressFault(url, instead) : null
    if (fault !== null) faults.push({ in: 'body', path: `/${wireName(name)}`, message: fault })
  }
  const keyFault = llmApiKeyEnv ? keyVariableFault(llmApiKeyEnv) : null
  if (keyFault !== null) faults.push({ in: 'body', path: '/llm_api_key_env', message: keyFault })
  return faults
}

function addressFault(text: string, instead: string): string | null {
  const url = URL.parse(text)
  if (url === null) return 'must be an address that begins with http:// or https://'
  if (url.username === '' && url.password === '') return null
  return `must not contain a user name or a password; ${instead}`
}

/**
 * Pages of other origins, including those of installed programs, may use the API. They must not choose where dictated
 * text and keys are sent: that choice would outlast the page and the user's trust in it.
 */
export function destinationsRefused(
  asked: { request: Request; listening: OwnAddress },
  change: Partial<Settings>,
  now: Settings,
): Problem | null {
  const changed = DESTINATIONS.filter((name) => change[name] !== undefined && change[name] !== now[name])
  if (changed.length === 0) return null
  return foreignPageRefused(
    asked,
    `change where text and keys are sent (${changed.map(wireName).join(', ')})`,
  )
}

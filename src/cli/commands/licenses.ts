// The licenses of everything inside the executable.

import { defineCommand } from '../command.ts'

export const LICENSES = defineCommand({
  name: 'licenses',
  needs: 'nothing',
  stdout: 'document',
  summary: 'Show the licenses of everything inside this program',
  load: async () => (await import('../licenses/licenses.ts')).showLicenses,
})

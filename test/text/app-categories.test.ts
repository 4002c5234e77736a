import { expect, test } from 'bun:test'
import { categoryOf } from '../../src/text/app-categories.ts'

const KNOWN: [appId: string | null, appName: string | null, category: string][] = [
  ['com.tinyspeck.slackmacgap', 'Slack', 'chat'],
  ['com.slack.Slack', null, 'chat'],
  ['C:\\Program Files\\Microsoft Office\\root\\Office16\\OUTLOOK.EXE', null, 'email'],
  ['com.apple.mail', null, 'email'],
  ['org.mozilla.Thunderbird.desktop', null, 'email'],
  ['com.microsoft.VSCode', 'Visual Studio Code', 'code'],
  [null, 'Visual Studio Code', 'code'],
  ['Code.exe', null, 'code'],
  ['notepad++.exe', null, 'code'],
  ['notepad.exe', null, 'notes'],
  ['md.obsidian', null, 'notes'],
  ['com.apple.Notes', null, 'notes'],
  ['com.googlecode.iterm2', null, 'terminal'],
  ['/usr/bin/gnome-terminal-server', null, 'terminal'],
  ['com.microsoft.Word', null, 'document'],
  [null, 'LibreOffice Writer', 'document'],
  ['com.google.Chrome', 'Google Chrome', 'browser'],
  ['org.mozilla.firefox', null, 'browser'],
  ['unknown.bundle.id', 'WhatsApp', 'chat'],
]

test.each(KNOWN)('%p named %p has the category %p', (appId, appName, category) => {
  expect(categoryOf({ appId, appName })).toBe(category)
})

test('an unknown application has no category', () => {
  expect(categoryOf({ appId: 'com.example.invoices', appName: 'Invoices' })).toBeNull()
  expect(categoryOf({ appId: null, appName: null })).toBeNull()
  expect(categoryOf({ appId: '...', appName: ' ' })).toBeNull()
})

import { expect, test } from 'bun:test'
import { hyprlandWindow, isTerminal, swayWindow, x11Properties } from '../../../src/cli/dictate/focus.ts'

test('application and title are read from the properties of an X11 window', () => {
  const xterm =
    'WM_CLASS(STRING) = "xterm", "XTerm"\n_NET_WM_NAME:  not found.\nWM_NAME(STRING) = "a \\"b\\" \\\\ c"\n'
  const window = x11Properties('0x1', xterm)
  expect(window).toEqual({ id: '0x1', appName: 'XTerm', appId: 'xterm', title: 'a "b" \\ c' })
  expect(isTerminal(window)).toBe(true)
  const mail =
    'WM_CLASS(STRING) = "Mail", "thunderbird"\n_NET_WM_NAME(UTF8_STRING) = "Entwürfe"\nWM_NAME(STRING) = "x"\n'
  expect(x11Properties('0x2', mail)).toMatchObject({ appName: 'thunderbird', title: 'Entwürfe' })
  expect(x11Properties('0x3', '').appName).toBeNull()
})

test('sway and Hyprland report the focused window as JSON', () => {
  const tree = {
    id: 1,
    focused: false,
    name: 'root',
    nodes: [
      { id: 2, focused: false, name: 'one', app_id: 'firefox' },
      {
        id: 3,
        focused: false,
        name: 'w',
        floating_nodes: [
          { id: 4, focused: true, name: 't', app_id: null, window_properties: { class: 'XTerm' } },
        ],
      },
    ],
  }
  expect(swayWindow(JSON.stringify(tree))).toEqual({ id: '4', appName: 'XTerm', appId: 'XTerm', title: 't' })
  expect(swayWindow(null)).toBeNull()
  const window = '{"address":"0x55","class":"foot","title":"~"}'
  expect(hyprlandWindow(window)).toEqual({ id: '0x55', appName: 'foot', appId: 'foot', title: '~' })
  expect(hyprlandWindow('{}')).toBeNull()
})

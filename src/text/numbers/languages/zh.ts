// Chinese numbers, simplified and traditional.

import type { HanLanguage } from '../number-language.ts'

const CLOCK = '[点點](?=整|钟|鐘|半|[一二三四五六七八九十])'
const DATE = '月(?=[一二三四五六七八九十0-9]{1,3}[日号號])'

export const chineseNumbers: HanLanguage = {
  script: 'han',
  shortened: true,
  bareHundreds: false,
  idioms: [
    '二百五',
    '三十六计',
    '三十六計',
    '七七八八',
    '十万八千里',
    '十萬八千里',
    '五十步笑百步',
    '十八般',
    '九牛二虎',
    '一五一十',
    '百分百',
    '一百八十度大',
    '三百六十行',
    '二十四节气',
    '二十四節氣',
    '十二生肖',
  ],
  units: new RegExp(
    `^(?:公里|千米|米|厘米|毫米|公斤|千克|克|吨|噸|毫升|升|度|元|美元|欧元|歐元|分钟|分鐘|小时|小時|秒|字节|像素|分(?![之钟鐘])|${CLOCK}|${DATE})`,
    'u',
  ),
  unitsOfOne: new RegExp(`^(?:${CLOCK}|${DATE})`, 'u'),
  percent: { before: /百分之$/, after: null },
  minus: /[负負]$/,
}

import{e}from"./main-ba0hvbaq.js";var Ye=({label:o,value:r,onWords:a})=>e("search",{children:e("input",{type:"search",autocomplete:"off",placeholder:o,"aria-label":o,value:r,onInput:({currentTarget:s})=>a(s.value)})});
export{Ye};

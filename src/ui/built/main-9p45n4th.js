import{l}from"./main-ba0hvbaq.js";var e=matchMedia("(hover: none) and (pointer: coarse)"),F=l(e.matches?"touch":"mouse");e.addEventListener("change",()=>{F.value=e.matches?"touch":"mouse"});
export{F};

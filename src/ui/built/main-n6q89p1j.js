function Ye({blob:o,name:t}){let e=URL.createObjectURL(o);gt(e,t),setTimeout(()=>URL.revokeObjectURL(e),60000)}function gt(o,t=""){let e=document.createElement("a");e.href=o,e.download=t,e.click()}
export{Ye,gt};

function Ge({blob:o,name:t}){let e=URL.createObjectURL(o);pt(e,t),setTimeout(()=>URL.revokeObjectURL(e),60000)}function pt(o,t=""){let e=document.createElement("a");e.href=o,e.download=t,e.click()}
export{Ge,pt};

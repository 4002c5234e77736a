function Ge({blob:o,name:t}){let e=URL.createObjectURL(o);dt(e,t),setTimeout(()=>URL.revokeObjectURL(e),60000)}function dt(o,t=""){let e=document.createElement("a");e.href=o,e.download=t,e.click()}
export{Ge,dt};

import{o,s}from"./main-0cw1qzqw.js";var c=200;function te(t){let[e,r]=o(t);return s(()=>{let n=setTimeout(()=>r(t),c);return()=>clearTimeout(n)},[t]),e}
export{te};

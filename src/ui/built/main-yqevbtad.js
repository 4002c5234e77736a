import{ke,e,me}from"./main-jmrtwb2f.js";import{gt}from"./main-n6q89p1j.js";import{p}from"./main-xz7xf45z.js";var Q=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!ke())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{Q};

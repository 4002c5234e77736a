import{ke,e,me}from"./main-1vj5pyzm.js";import{gt}from"./main-7mszcphy.js";import{p}from"./main-0tjyzy27.js";var Q=({href:o,onClick:r,...t})=>e("a",{...t,href:o,download:!0,onClick:(n)=>{if(r?.(),!ke())return;n.preventDefault(),p(async()=>gt(await me(o)))}});
export{Q};

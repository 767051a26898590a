; Control flow that is not an if without else or a loop with one exit is found, and made of these.
; RUN: %vectorize print-shapes %s | %check --check-prefix=BEFORE
; RUN: %vectorize canonicalize,structurize %s | %vectorize print-shapes - | %check --check-prefix=AFTER

; Lanes come to the exit in rounds of their own, whichever way.
; BEFORE-LABEL: shapes of breaks:
; BEFORE: varying:{{.*}}%r = phi
; BEFORE: not structured:
; AFTER-LABEL: shapes of breaks:
; AFTER-NOT: not structured
define void @breaks(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %next ]
  %c = icmp eq i32 %k, %linear
  br i1 %c, label %exit, label %next
next:
  %k1 = add i32 %k, 1
  %d = icmp ult i32 %k1, %n
  br i1 %d, label %loop, label %exit
exit:
  %r = phi i32 [ 7, %loop ], [ %k1, %next ]
  %a = getelementptr i32, ptr %p, i32 %linear
  store i32 %r, ptr %a
  ret void
}

; Ways from a branch that meet in front of its join.
; BEFORE-LABEL: shapes of crosses:
; BEFORE: divergent: {{.*}}%c
; BEFORE-NOT: divergent: {{.*}}%u
; BEFORE: varying:{{.*}}%m = phi
; BEFORE: varying:{{.*}}%x = phi
; BEFORE: uniform:{{.*}}%same = phi
define void @crosses(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %c = icmp ult i32 %linear, %n
  %u = icmp ult i32 %n, 7
  br i1 %c, label %a, label %b
a:
  br i1 %u, label %meet, label %cross
b:
  br i1 %u, label %meet, label %cross
meet:
  %m = phi i32 [ 1, %a ], [ 2, %b ]
  store i32 %m, ptr %p
  br label %done
cross:
  %x = phi i32 [ 3, %a ], [ 4, %b ]
  %w = icmp ult i32 %n, 3
  br i1 %w, label %inner, label %end
inner:
  br label %end
end:
  %same = phi i32 [ %n, %inner ], [ 8, %cross ]
  store i32 %x, ptr %p
  br label %done
done:
  ret void
}

; BEFORE-LABEL: shapes of choices:
; BEFORE: not structured:
; AFTER-LABEL: shapes of choices:
; AFTER-NOT: not structured
define void @choices(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  switch i32 %linear, label %other [ i32 1, label %one
                                     i32 2, label %two ]
one:
  store i32 1, ptr %p
  br label %done
two:
  store i32 2, ptr %p
  ret void
other:
  br label %done
done:
  ret void
}

; Uniform control flow stays what it is: nothing has to be structured.
; BEFORE-LABEL: shapes of uniform:
; BEFORE-NOT: not structured
define void @uniform(ptr %item, ptr %p, i32 %n) {
entry:
  %c = icmp ult i32 %n, 7
  br i1 %c, label %then, label %else
then:
  store i32 1, ptr %p
  br label %done
else:
  store i32 2, ptr %p
  br label %done
done:
  ret void
}

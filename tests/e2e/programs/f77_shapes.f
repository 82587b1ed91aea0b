C     Some of the shapes of mpi_shapes.c as an old program has them: fixed
C     form, mpif.h, no interfaces.  The regions are the module's.
      PROGRAM F77
      USE POPRT
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ME, RANKS, TOTAL, IERR
      COMMON /JOB/ ME, RANKS, TOTAL
      CHARACTER*32 NAME

      CALL CHOOSE_SHAPE(NAME)
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, IERR)
      CALL MPI_COMM_SIZE(MPI_COMM_WORLD, RANKS, IERR)
      TOTAL = 0
      IF (NAME .EQ. 'chain') CALL CHAIN
      IF (NAME .EQ. 'wildcard') CALL WILD
      IF (NAME .EQ. 'ring_waitall') CALL RING(.TRUE.)
      IF (NAME .EQ. 'ring_waitany') CALL RING(.FALSE.)
      IF (NAME .EQ. 'rooted_calls') CALL ROOTED
      IF (NAME .EQ. 'half_region') CALL HALVES
      WRITE (*, 100) ME, RANKS, TOTAL
  100 FORMAT ('rank ', I0, ' of ', I0, ': ', I0)
      CALL MPI_FINALIZE(IERR)
      END

      SUBROUTINE SENDTO(TO, TAG)
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER TO, TAG, VALUE, IERR
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      VALUE = 100 * ME + TAG
      CALL MPI_SEND(VALUE, 1, MPI_INTEGER, TO, TAG, MPI_COMM_WORLD,
     &              IERR)
      END

      SUBROUTINE RECVFR(FROM, TAG)
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER FROM, TAG, VALUE, HOW(MPI_STATUS_SIZE), IERR
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      VALUE = -1
      CALL MPI_RECV(VALUE, 1, MPI_INTEGER, FROM, TAG, MPI_COMM_WORLD,
     &              HOW, IERR)
      CALL CHECK(VALUE .EQ. 100 * HOW(MPI_SOURCE) + HOW(MPI_TAG),
     &           'received value')
      TOTAL = TOTAL + VALUE
      END

      SUBROUTINE CHAIN
      USE SHAPES
      IMPLICIT NONE
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      IF (ME .GT. 0) CALL RECVFR(ME - 1, 1)
      CALL WORK(8.0 / RANKS)
      IF (ME .LT. RANKS - 1) CALL SENDTO(ME + 1, 1)
      END

      SUBROUTINE WILD
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      INTEGER I
      IF (ME .EQ. 0) THEN
        DO 10 I = 1, RANKS - 1
          CALL RECVFR(MPI_ANY_SOURCE, MPI_ANY_TAG)
          CALL WORK(0.25)
   10   CONTINUE
        DO 20 I = 1, RANKS - 1
          CALL SENDTO(I, 3)
   20   CONTINUE
      ELSE
        CALL WORK(1 + 4.0 * (ME - 1) / RANKS)
        CALL SENDTO(0, 2)
        CALL RECVFR(0, 3)
      END IF
      CALL WORK(3.0)
      END

C     Every second phase asks for no statuses.  The buffers are in a common
C     block, which any call may change.
      SUBROUTINE RING(ALL)
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      LOGICAL ALL
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      INTEGER IN(3), OUT(3), REQS(6), HOW(MPI_STATUS_SIZE, 6)
      COMMON /BUFFERS/ IN, OUT
      INTEGER LEFT, RIGHT, PHASE, I, WHICH, IERR
      LEFT = MOD(ME + RANKS - 1, RANKS)
      RIGHT = MOD(ME + 1, RANKS)
      DO 50 PHASE = 0, 3
        CALL MPI_IRECV(IN(1), 1, MPI_INTEGER, LEFT, 5,
     &                 MPI_COMM_WORLD, REQS(3), IERR)
        CALL MPI_IRECV(IN(2), 1, MPI_INTEGER, LEFT, 7,
     &                 MPI_COMM_WORLD, REQS(2), IERR)
        CALL MPI_IRECV(IN(3), 1, MPI_INTEGER, RIGHT, 3,
     &                 MPI_COMM_WORLD, REQS(1), IERR)
        IF (MOD(ME + PHASE, 2) .EQ. 0) THEN
          CALL WORK(2.0)
        ELSE
          CALL WORK(1.0)
        END IF
        OUT(1) = 10 * ME + 7
        OUT(2) = 10 * ME + 5
        OUT(3) = 10 * ME + 3
        CALL MPI_ISEND(OUT(1), 1, MPI_INTEGER, RIGHT, 7,
     &                 MPI_COMM_WORLD, REQS(4), IERR)
        CALL MPI_ISEND(OUT(2), 1, MPI_INTEGER, RIGHT, 5,
     &                 MPI_COMM_WORLD, REQS(5), IERR)
        CALL MPI_ISEND(OUT(3), 1, MPI_INTEGER, LEFT, 3,
     &                 MPI_COMM_WORLD, REQS(6), IERR)
        IF (.NOT. ALL) THEN
          DO 30 I = 1, 6
            IF (MOD(PHASE, 2) .EQ. 0) THEN
              CALL MPI_WAITANY(6, REQS, WHICH, HOW, IERR)
            ELSE
              CALL MPI_WAITANY(6, REQS, WHICH, MPI_STATUS_IGNORE, IERR)
            END IF
            CALL CHECK(WHICH .GE. 1 .AND. WHICH .LE. 6,
     &                 'positions count from 1')
   30     CONTINUE
        ELSE IF (MOD(PHASE, 2) .EQ. 0) THEN
          CALL MPI_WAITALL(6, REQS, HOW, IERR)
          CALL CHECK(HOW(MPI_TAG, 2) .EQ. 7, 'tag of the second')
        ELSE
          CALL MPI_WAITALL(6, REQS, MPI_STATUSES_IGNORE, IERR)
        END IF
        DO 40 I = 1, 6
          CALL CHECK(REQS(I) .EQ. MPI_REQUEST_NULL, 'requests are gone')
   40   CONTINUE
        CALL CHECK(IN(1) .EQ. 10 * LEFT + 5 .AND.
     &             IN(2) .EQ. 10 * LEFT + 7 .AND.
     &             IN(3) .EQ. 10 * RIGHT + 3, 'what was received')
        TOTAL = TOTAL + IN(1) + IN(2) + IN(3)
   50 CONTINUE
      END

C     With MPI_IN_PLACE at the root, and MPI_BOTTOM.
      SUBROUTINE ROOTED
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      INTEGER MOST
      PARAMETER (MOST = 64)
      INTEGER VALUES(MOST), COUNTS(MOST), PLACES(MOST), MINE(1)
      INTEGER(KIND=MPI_ADDRESS_KIND) WHERE(1)
      INTEGER ABSOLU, PHASE, ROOT, I, IERR
      LOGICAL LATE
      CALL MPI_GET_ADDRESS(VALUES, WHERE(1), IERR)
      COUNTS(1) = RANKS
      CALL MPI_TYPE_CREATE_HINDEXED(1, COUNTS, WHERE, MPI_INTEGER,
     &                              ABSOLU, IERR)
      CALL MPI_TYPE_COMMIT(ABSOLU, IERR)
      DO 10 I = 1, RANKS
        COUNTS(I) = 1
        PLACES(I) = I - 1
   10 CONTINUE
      DO 40 PHASE = 0, 5
        ROOT = MOD(PHASE, RANKS)
        LATE = (ME .EQ. ROOT) .NEQV. (PHASE .GE. 3)
        MINE(1) = ME
        IF (LATE) THEN
          CALL WORK(1.5)
        ELSE
          CALL WORK(0.5)
        END IF
        DO 20 I = 1, RANKS
          VALUES(I) = I
   20   CONTINUE
        IF (PHASE .EQ. 0) THEN
          IF (ME .NE. ROOT) VALUES(RANKS) = 0
          CALL MPI_BCAST(MPI_BOTTOM, 1, ABSOLU, ROOT, MPI_COMM_WORLD,
     &                   IERR)
          CALL CHECK(VALUES(RANKS) .EQ. RANKS, 'broadcast')
        ELSE IF (PHASE .EQ. 1 .AND. ME .EQ. ROOT) THEN
          CALL MPI_SCATTER(VALUES, 1, MPI_INTEGER, MPI_IN_PLACE, 1,
     &                     MPI_INTEGER, ROOT, MPI_COMM_WORLD, IERR)
        ELSE IF (PHASE .EQ. 1) THEN
          CALL MPI_SCATTER(VALUES, 1, MPI_INTEGER, MINE, 1,
     &                     MPI_INTEGER, ROOT, MPI_COMM_WORLD, IERR)
          CALL CHECK(MINE(1) .EQ. ME + 1, 'scattered')
        ELSE IF (PHASE .EQ. 2) THEN
          CALL MPI_SCATTERV(VALUES, COUNTS, PLACES, MPI_INTEGER, MINE,
     &                      1, MPI_INTEGER, ROOT, MPI_COMM_WORLD, IERR)
        ELSE IF (PHASE .EQ. 3 .AND. ME .EQ. ROOT) THEN
          VALUES(ME + 1) = ME
          CALL MPI_GATHER(MPI_IN_PLACE, 1, MPI_INTEGER, VALUES, 1,
     &                    MPI_INTEGER, ROOT, MPI_COMM_WORLD, IERR)
          CALL CHECK(VALUES(RANKS) .EQ. RANKS - 1, 'gathered')
        ELSE IF (PHASE .EQ. 3) THEN
          CALL MPI_GATHER(MINE, 1, MPI_INTEGER, VALUES, 1,
     &                    MPI_INTEGER, ROOT, MPI_COMM_WORLD, IERR)
        ELSE IF (PHASE .EQ. 4) THEN
          CALL MPI_GATHERV(MINE, 1, MPI_INTEGER, VALUES, COUNTS,
     &                     PLACES, MPI_INTEGER, ROOT, MPI_COMM_WORLD,
     &                     IERR)
        ELSE IF (ME .EQ. ROOT) THEN
          VALUES(1) = ME
          CALL MPI_REDUCE(MPI_IN_PLACE, VALUES, 1, MPI_INTEGER, MPI_MAX,
     &                    ROOT, MPI_COMM_WORLD, IERR)
          CALL CHECK(VALUES(1) .EQ. RANKS - 1, 'reduced')
        ELSE
          CALL MPI_REDUCE(MINE, VALUES, 1, MPI_INTEGER, MPI_MAX, ROOT,
     &                    MPI_COMM_WORLD, IERR)
        END IF
        TOTAL = TOTAL + MINE(1)
        DO 30 I = 1, RANKS
          TOTAL = TOTAL + VALUES(I)
   30   CONTINUE
   40 CONTINUE
      CALL MPI_TYPE_FREE(ABSOLU, IERR)
      END

      SUBROUTINE HALVES
      USE POPRT
      USE SHAPES
      IMPLICIT NONE
      INCLUDE 'mpif.h'
      INTEGER ME, RANKS, TOTAL
      COMMON /JOB/ ME, RANKS, TOTAL
      INTEGER HALF, IERR
      CHARACTER*40 NAME
      HALF = (RANKS + 1) / 2
      NAME = 'half'
      IF (ME .LT. HALF) THEN
        CALL POP_REGION_START(NAME)
        CALL WORK(1.0)
        IF (ME .GT. 0) CALL RECVFR(ME - 1, 1)
        CALL WORK(2.0 / HALF)
        IF (ME .LT. HALF - 1) CALL SENDTO(ME + 1, 1)
        CALL POP_REGION_STOP(NAME)
      ELSE
        CALL WORK(4.0)
      END IF
      CALL MPI_BARRIER(MPI_COMM_WORLD, IERR)
      CALL WORK(1.0)
      IF (MOD(ME, 2) .EQ. 1) THEN
        CALL POP_REGION_START('odd')
        CALL WORK(2.0)
        CALL POP_REGION_STOP('odd')
      END IF
      END

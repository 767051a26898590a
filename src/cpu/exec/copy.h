// SPDX-License-Identifier: MIT
// Moving bytes: the job bodies behind copies, fills and the other commands that write memory.
#pragma once
#include "cpu/exec/job.h"
#include "cpu/exec/record.h"

namespace hiplz::cpu {

/// How many indices the job of a copy or fill has, each about as long as one thread should be busy without looking up.
uint64_t copyPieces(const CopyRecord &record);
uint64_t copyRegionPieces(const CopyRegionRecord &record);
uint64_t fillPieces(const FillRecord &record);

// Job::Body; `record` of the job is the record of that kind.
void copyBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end);
void copyRegionBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end);
void fillBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end);
void writeTimestampBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end);
void queryTimestampsBody(const Job &job, Worker &worker, uint64_t begin, uint64_t end);

} // namespace hiplz::cpu

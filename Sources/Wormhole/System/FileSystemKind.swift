import CSystem

/// What a file system is, by its magic number, statfs(2), and whether its events tell of every change.
package struct FileSystemKind: Hashable, Sendable {
  /// Whose changes inotify(7) tells of there.
  package enum Telling: Sendable {
    /// All, since every change goes through this kernel.
    case everything
    /// Only those that are made through this mount: others change the files behind it.
    case ownChangesOnly
    /// Not known; a live test must say.
    case unknown
  }

  /// The magic number.
  package let magic: UInt

  /// The kind with a magic number.
  package init(magic: UInt) { self.magic = magic }

  /// The kind of the file system that holds what a path leads to, statfs(2).
  package static func of(_ path: Path) throws(Errno) -> FileSystemKind {
    FileSystemKind(magic: try numberCall(.fstatfs) { csystem_statfs_type(path.bytes, &$0) })
  }

  /// Its name, as mount(8) has it where it is known.
  package var name: String {
    Self.local[magic] ?? Self.remote[magic] ?? "file system 0x\(String(magic, radix: 16))"
  }

  /// Whose changes are told of there.
  package var telling: Telling {
    if Self.local[magic] != nil { return .everything }
    return Self.remote[magic] == nil ? .unknown : .ownChangesOnly
  }

  /// File systems that one kernel has to itself.
  private static let local: [UInt: String] = [
    0xEF53: "ext4", 0x5846_5342: "xfs", 0x9123_683E: "btrfs", 0x0102_1994: "tmpfs", 0x794C_7630: "overlay",
    0x8584_58F6: "ramfs", 0xF2F5_2010: "f2fs", 0x2FC1_2FC1: "zfs", 0xCA45_1A4E: "bcachefs", 0x3153_464A: "jfs",
    0x5265_4973: "reiserfs", 0x3434: "nilfs", 0x4D44: "vfat", 0x2011_BAB0: "exfat", 0x7366_746E: "ntfs3",
    0x9584_58F6: "hugetlbfs", 0x7371_7368: "squashfs", 0xE0F5_E1E2: "erofs", 0x9660: "isofs",
  ]

  /// File systems that other machines, other kernels or other programs change unseen.
  private static let remote: [UInt: String] = [
    0x6969: "nfs", 0x517B: "smb", 0xFE53_4D42: "smb2", 0xFF53_4D42: "cifs", 0x0102_1997: "9p", 0x6573_5546: "fuse",
    0x00C3_6400: "ceph", 0x5346_414F: "afs", 0x6B41_4653: "afs", 0x7375_7245: "coda", 0x786F_4256: "vboxsf",
    0x0116_1970: "gfs2", 0x7461_636F: "ocfs2", 0x0BD0_0BD0: "lustre", 0xBACB_ACBC: "vmhgfs", 0x7C7C_6673: "prl_fs",
    0x4750_4653: "gpfs", 0x2003_0528: "orangefs", 0x564C: "ncpfs",
  ]
}
